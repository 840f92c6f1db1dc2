import type { Forma } from '@trellis/contract/formas/forma'
import { RestManifest, type RestStream } from '@trellis/contract/integrations/rest-manifest'
import * as z from 'zod/mini'
import { type Names, findTemplateFaults } from './expression-check.ts'

export interface Fault {
  readonly path: string
  readonly message: string
}

interface ManifestContext {
  /** Absent for a user's own manifest, which has no settings to name. */
  readonly setupForma?: Forma
  readonly hosts?: readonly string[]
  readonly hasConsent?: boolean
}

/** Validates a manifest without sending anything; empty if valid. */
export function checkManifest(manifest: unknown, surroundings: ManifestContext = {}): Fault[] {
  const shape = z.safeParse(RestManifest, manifest)
  if (!shape.success) {
    return shape.error.issues.map(({ path, message }) => ({ path: path.map(String).join('.'), message }))
  }
  const { data } = shape
  const inputs = new Map(data.inputs.map(({ reference, is_secret }) => [reference, { isSecret: is_secret }]))
  const base: Names = { inputs, values: listSettings(surroundings.setupForma), hosts: surroundings.hosts }
  const shownNames: Names = { ...base, isShown: true }
  return [
    ...findTextFaults('base_url', data.base_url, shownNames),
    ...findTextFaults('headers', data.headers, base),
    ...findTextFaults('auth', data.auth, base),
    ...(data.auth.type === 'oauth' && !surroundings.hasConsent ? [createFault('auth.type', NO_CONSENT)] : []),
    ...findDuplicates(data.inputs.map(({ reference }) => reference)).map((name) =>
      createFault('inputs', `"${name}" is there twice.`),
    ),
    ...findDuplicates(data.streams.map(({ name }) => name)).map((name) =>
      createFault('streams', `"${name}" is there twice.`),
    ),
    ...data.streams.flatMap((stream, index) =>
      findStreamFaults(stream, { path: `streams.${index}`, base, all: data.streams }),
    ),
  ]
}

const NO_CONSENT = 'Consent is possible only on platforms Trellis knows. Use a token that the platform gives out.'
const createFault = (path: string, message: string): Fault => ({ path, message })

function listSettings(forma: Forma | undefined): Names['values'] {
  if (!forma) return undefined
  return new Map(
    forma.sections.flatMap((section) =>
      section.elements.map(
        ({ reference, type }) => [`${section.reference}.${reference}`, { isSecret: type === 'secret' }] as const,
      ),
    ),
  )
}

interface ManifestScope {
  readonly path: string
  readonly base: Names
  readonly all: readonly RestStream[]
}

function findStreamFaults(stream: RestStream, { path, base, all }: ManifestScope): Fault[] {
  const { partition, cursor, report, paginate, chunk_fields: chunk } = stream
  const parent = partition?.type === 'parent' ? all.find(({ name }) => name === partition.stream) : undefined
  const names: Names = {
    ...base,
    hasWindow: cursor !== undefined,
    windowType: cursor?.kind === 'number' ? 'number' : 'instant',
    hasParent: partition?.type === 'parent',
    parentFields: parent?.fields?.map(({ name, path: from }) => (from ?? name).split(/[.[]/)[0] ?? name),
    hasPartition: partition !== undefined,
    hasFields: chunk !== undefined,
    hasPage: paginate?.type === 'cursor',
  }
  const early = { ...base, isShown: true }
  return [
    ...findRequestFaults(`${path}.request`, stream.request, { ...names, hasReport: report !== undefined }),
    ...(report ? findRequestFaults(`${path}.report.create`, report.create, names) : []),
    ...(report ? findRequestFaults(`${path}.report.poll`, report.poll, { ...names, hasReport: true }) : []),
    ...findTextFaults(`${path}.cursor.start`, cursor?.start, early),
    ...(partition?.type === 'list' ? findTextFaults(`${path}.partition.values`, partition.values, early) : []),
    ...findParentFaults(stream, path, all),
    ...findShapeFaults(stream, path),
  ]
}

function findRequestFaults(path: string, request: RestStream['request'], names: Names): Fault[] {
  const { path: address, method, body, query, headers } = request
  const faults = [
    ...findTextFaults(`${path}.path`, address, { ...names, isShown: true }),
    ...findTextFaults(`${path}.query`, query, names),
    ...findTextFaults(`${path}.headers`, headers, names),
    ...findTextFaults(`${path}.body`, body, names),
  ]
  if (body !== undefined && method !== 'POST')
    faults.push(createFault(`${path}.body`, 'Only a POST request has a body.'))
  return faults
}

function findParentFaults({ name, partition }: RestStream, path: string, all: readonly RestStream[]): Fault[] {
  if (partition?.type !== 'parent') return []
  const seen = new Set([name])
  let next: string | undefined = partition.stream
  while (next !== undefined) {
    if (seen.has(next))
      return [createFault(`${path}.partition.stream`, "A stream can't be read for each record of itself.")]
    seen.add(next)
    const stream = all.find((candidate) => candidate.name === next)
    if (!stream) return [createFault(`${path}.partition.stream`, `There is no stream called "${next}".`)]
    next = stream.partition?.type === 'parent' ? stream.partition.stream : undefined
  }
  return []
}

function findShapeFaults(stream: RestStream, path: string): Fault[] {
  const { chunk_fields: chunk, key = [], fields } = stream
  const names = fields?.map((field) => field.name)
  const unknown = (name: string) => names !== undefined && !names.includes(name)
  const faults = [
    ...findCursorFaults(stream.cursor, `${path}.cursor`, unknown),
    ...key.flatMap((name, index) => (unknown(name) ? [createFault(`${path}.key.${index}`, noField(name))] : [])),
    ...findDuplicates(names ?? []).map((name) => createFault(`${path}.fields`, `"${name}" is there twice.`)),
  ]
  if (chunk && chunk.fields.length > chunk.most && key.length === 0) {
    faults.push(createFault(`${path}.key`, 'Answers about different fields can only be joined by a key.'))
  }
  return faults
}

const noField = (name: string) => `The stream has no field "${name}".`

function findCursorFaults(cursor: RestStream['cursor'], path: string, unknown: (name: string) => boolean): Fault[] {
  if (!cursor) return []
  const faults: Fault[] = []
  const { step_days: step, start, kind, field } = cursor
  if (step !== undefined && start === undefined)
    faults.push(createFault(`${path}.start`, 'Reading in steps needs a day to begin at.'))
  if (step !== undefined && kind === 'number')
    faults.push(createFault(`${path}.step_days`, 'A cursor that is a number has no days.'))
  if (unknown(field)) faults.push(createFault(`${path}.field`, noField(field)))
  return faults
}

function findTextFaults(path: string, value: unknown, names: Names): Fault[] {
  if (typeof value === 'string') return findTemplateFaults(value, names).map((message) => createFault(path, message))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => findTextFaults(`${path}.${name}`, item, names))
}

const findDuplicates = (names: readonly string[]) => [
  ...new Set(names.filter((name, index) => names.indexOf(name) !== index)),
]
