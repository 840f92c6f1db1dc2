import { spawn } from 'node:child_process'
import { say } from './say.mjs'

const kept = 20_000

/** Shows a progress line; resolves to the exit code and the last output. */
export async function runQuietly({ task, program, args, cwd }) {
  const startedAt = Date.now()
  const seconds = () => Math.round((Date.now() - startedAt) / 1000)
  say(`${task}…`)
  const ticking = setInterval(() => say(`${task}… ${seconds()} s`), 10_000)
  try {
    const result = await collect(program, args, cwd)
    if (result.code === 0) say(`${task}: done in ${seconds()} s`)
    return result
  } finally {
    clearInterval(ticking)
  }
}

function collect(program, args, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const keep = (chunk) => {
      output = `${output}${chunk}`.slice(-kept)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
}
