import { LIVE_REF, listRefs, planFetch } from '../../modules/worksheets/git/git.service.ts'
import { type RefUpdate, readSentPack, updateRef } from '../../modules/worksheets/git/receive.service.ts'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { DELIMITER, FLUSH, formatBand, formatLine, parseLines } from '../../platform/git/pkt-line.ts'
import { PackProblem } from '../../platform/git/read-pack.ts'
import { writePack } from '../../platform/git/write-pack.ts'

const MAX_IDS = 10_000

function readLines(body: Buffer) {
  try {
    return parseLines(body)
  } catch {
    throw new AppError('invalid_request', 'This is not what git sends.')
  }
}

export async function answerFetch(ctx: WorkspaceCtx, code: string, body: Buffer): Promise<AsyncIterable<Buffer>> {
  const lines = readLines(body).lines.filter((line) => line !== null)
  const command = lines.find((line) => line.startsWith('command='))
  if (command === 'command=ls-refs') return answerRefs(await listRefs(ctx, code), lines)
  if (command === 'command=fetch') return await answerObjects(ctx, code, lines)
  throw new AppError('invalid_request', 'This command of git is not served here.')
}

async function* answerRefs(
  refs: readonly { name: string; id: string }[],
  lines: readonly string[],
): AsyncGenerator<Buffer> {
  const prefixes = lines.filter((line) => line.startsWith('ref-prefix ')).map((line) => line.slice(11))
  const isWanted = (name: string) => prefixes.length === 0 || prefixes.some((prefix) => name.startsWith(prefix))
  const target = lines.includes('symrefs') ? ` symref-target:${LIVE_REF}` : ''
  for (const { name, id } of refs) {
    if (name === LIVE_REF && isWanted('HEAD')) yield formatLine(`${id} HEAD${target}\n`)
    if (isWanted(name)) yield formatLine(`${id} ${name}\n`)
  }
  yield FLUSH
}

async function answerObjects(
  ctx: WorkspaceCtx,
  code: string,
  lines: readonly string[],
): Promise<AsyncIterable<Buffer>> {
  const ids = (word: string) => lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(5))
  const [wants, haves] = [ids('want'), ids('have')]
  if (wants.length + haves.length > MAX_IDS) throw new AppError('invalid_request', 'Too many commits are named.')
  const plan = await planFetch(ctx, code, { wants, haves })
  return (async function* () {
    if (!plan) {
      yield formatLine('ERR upload-pack: not our ref\n')
      return
    }
    if (!lines.includes('done')) {
      yield formatLine('acknowledgments\n')
      for (const id of plan.common) yield formatLine(`ACK ${id}\n`)
      if (plan.common.length === 0) {
        yield formatLine('NAK\n')
        yield FLUSH
        return
      }
      yield formatLine('ready\n')
      yield DELIMITER
    }
    yield formatLine('packfile\n')
    for await (const piece of writePack(plan.count, plan.objects)) yield* formatBand(1, piece)
    yield FLUSH
  })()
}

const UPDATE = /^([0-9a-f]{40}) ([0-9a-f]{40}) (refs\/[^\0\n ]{1,300})$/
const MAX_UPDATES = 20

export async function answerPush(
  ctx: WorkspaceCtx,
  code: string,
  body: Buffer,
): Promise<{ answer: Buffer; moved: string[] }> {
  const { lines, rest } = readLines(body)
  const updates = parseUpdates(lines)
  // Git's authentication probe is an empty push.
  if (updates.length === 0) return { answer: Buffer.alloc(0), moved: [] }
  const report: string[] = []
  const moved: string[] = []
  try {
    const objects = await readSentPack(ctx, code, rest)
    report.push('unpack ok')
    for (const update of updates) {
      const problem = await updateRef(ctx, code, { update, objects })
      report.push(problem === undefined ? `ok ${update.ref}` : `ng ${update.ref} ${problem}`)
      if (problem === undefined) moved.push(update.ref)
    }
  } catch (error) {
    if (!(error instanceof PackProblem)) throw error
    report.push(`unpack ${error.message}`, ...updates.map(({ ref }) => `ng ${ref} ${error.message}`))
  }
  const status = Buffer.concat([...report.map((line) => formatLine(`${line}\n`)), FLUSH])
  return { answer: Buffer.concat([...formatBand(1, status), FLUSH]), moved }
}

function parseUpdates(lines: readonly (string | null)[]): RefUpdate[] {
  if (lines.length > MAX_UPDATES) throw new AppError('invalid_request', `A push may name ${MAX_UPDATES} branches.`)
  return lines.map((line) => {
    const [, from, to, ref] = UPDATE.exec((line ?? '').replace(/\0.*$/s, '')) ?? []
    if (!from || !to || !ref) throw new AppError('invalid_request', 'This is not what git sends.')
    return { from, to, ref }
  })
}
