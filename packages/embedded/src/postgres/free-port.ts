import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { readOwn, writeOwn } from './own-file.ts'
import { asStartProblem, startProblem } from './start-problem.ts'

/** Why no server could listen on this port of this machine now; nothing when one could. */
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

// From 32768 on, systems hand ports to outgoing connections: a server there fails to bind now and then.
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const port = randomInt(20_000, 32_000)
    if (await isPortFree(port)) return port
  }
  throw startProblem('No free port was found between 20000 and 32000. Stop some programs and start again.')
}

/** The port used last time when it is still free, so that tools set up by hand keep working. */
export async function rememberedPort(portFile: string): Promise<number> {
  const known = readPort(portFile)
  if (known !== undefined && (await isPortFree(known))) return known
  const port = await findFreePort()
  try {
    writeOwn(portFile, `${port}\n`)
  } catch (error) {
    throw asStartProblem(error, portFile)
  }
  return port
}

function readPort(portFile: string): number | undefined {
  const port = Number.parseInt(readOwn(portFile) ?? '', 10)
  return port >= 1024 && port < 65_536 ? port : undefined
}
