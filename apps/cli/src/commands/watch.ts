import { EXIT } from '../cli-error.ts'
import { type Command, type FileCommand, requireArgument } from '../context.ts'
import { findProblems, formatProblem } from './files.ts'
import { applyFlow, diffFlow } from './flows.ts'

/** Compares the content: editors replace files or write them in parts. */
const POLL_MS = 300

export async function watchFile(command: FileCommand, workspace: Command | undefined): Promise<number> {
  const file = requireArgument(command, 0, 'file')
  let lastText: string | undefined
  command.say(`Watching ${file}. Ctrl+C ends it.`)
  while (!command.isStopped()) {
    const text = await readOrKeep(command, file, lastText)
    if (text !== lastText && text !== '') {
      lastText = text
      await validateAndApply(command, workspace, { file, text })
    }
    await command.wait(POLL_MS)
  }
  return EXIT.ok
}

/** Missing for a moment while an editor replaces it. */
async function readOrKeep(command: FileCommand, file: string, lastText: string | undefined): Promise<string> {
  try {
    return await command.readFile(file)
  } catch (error) {
    if (lastText === undefined) throw error
    return lastText
  }
}

async function validateAndApply(
  command: FileCommand,
  workspace: Command | undefined,
  { file, text }: { file: string; text: string },
): Promise<void> {
  const problems = findProblems(file, text)
  for (const problem of problems) command.print(formatProblem(problem))
  if (problems.length > 0) return
  command.say(`${file} is valid.`)
  if (!workspace) return
  try {
    await (command.flags['apply'] ? applyFlow(workspace) : diffFlow(workspace))
  } catch (error) {
    command.say((error as Error).message)
  }
}
