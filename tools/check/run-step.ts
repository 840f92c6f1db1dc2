import { spawn } from 'node:child_process'

export interface Step {
  name: string
  /** One actionable message each; empty means passed. */
  run: () => Promise<string[]> | string[]
}

export interface StepResult {
  name: string
  problems: string[]
  seconds: number
}

export async function runStep(step: Step): Promise<StepResult> {
  const started = performance.now()
  const seconds = () => (performance.now() - started) / 1000
  try {
    const problems = await step.run()
    return { name: step.name, problems, seconds: seconds() }
  } catch (error) {
    return { name: step.name, problems: [error instanceof Error ? error.message : String(error)], seconds: seconds() }
  }
}

export async function runForProblems(root: string, command: readonly string[]): Promise<string[]> {
  const { code, output } = await runCommand(root, command)
  return code === 0 ? [] : [output.trim() || `${command.join(' ')} ended with ${code}`]
}

export async function runCommand(
  root: string,
  command: readonly string[],
): Promise<{ code: number; output: string; stdout: string }> {
  const [file = '', ...args] = command
  const child = spawn(file, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  return await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code: code ?? 1, output, stdout }))
  })
}
