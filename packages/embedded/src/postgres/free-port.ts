import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { readOwnFile, writeOwnFile } from './own-file.ts'
import { toStartProblem, startError } from './start-problem.ts'

export function findPortProblem(port: number, host: string): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', resolve)
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(undefined)))
  })
}

async function isPortFree(port: number): Promise<boolean> {
  return (await findPortProblem(port, '127.0.0.1')) === undefined
}

// Ports from 32768 on are ephemeral, so that binding one sometimes fails.
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const port = randomInt(20_000, 32_000)
    if (await isPortFree(port)) return port
  }
  throw startError('No free port was found between 20000 and 32000. Stop some programs and start again.')
}

export async function readOrChoosePort(portFile: string): Promise<number> {
  const known = readPort(portFile)
  if (known !== undefined && (await isPortFree(known))) return known
  const port = await findFreePort()
  try {
    writeOwnFile(portFile, `${port}\n`)
  } catch (error) {
    throw toStartProblem(error, portFile)
  }
  return port
}

function readPort(portFile: string): number | undefined {
  const port = Number.parseInt(readOwnFile(portFile) ?? '', 10)
  return port >= 1024 && port < 65_536 ? port : undefined
}
