import { EXIT } from '../cli-error.ts'
import { type Command, type FileCommand, argument } from '../context.ts'
import { findProblems, formatProblem } from './files.ts'
import { applyFlow, diffFlow } from './flows.ts'

/** Editors replace a file or write it in parts: what it says is compared, not when it was touched. */
const EVERY_MS = 300

/** Judges a file each time it is saved. With a workspace it tells what would change there, and changes it with `--apply`. */
export async function watchFile(command: FileCommand, workspace: Command | undefined): Promise<number> {
  const file = argument(command, 0, 'file')
  let before: string | undefined
  command.say(`Watching ${file}. Ctrl+C ends it.`)
  while (!command.isStopped()) {
    const text = await command.readFile(file)
    if (text !== before && text !== '') {
      before = text
      await judge(command, workspace, file)
    }
    await command.wait(EVERY_MS)
  }
  return EXIT.ok
}

async function judge(command: FileCommand, workspace: Command | undefined, file: string): Promise<void> {
  const problems = await findProblems(command, file)
  for (const problem of problems) command.print(formatProblem(problem))
  if (problems.length > 0) return
  command.say(`${file} is right.`)
  if (!workspace) return
  try {
    await (command.flags['apply'] ? applyFlow(workspace) : diffFlow(workspace))
  } catch (error) {
    // The next save is another chance.
    command.say((error as Error).message)
  }
}
