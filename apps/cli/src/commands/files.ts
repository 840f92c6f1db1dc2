import { readFlowFile } from '@trellis/dataflow-engine/flow-file/read-flow-file'
import { CliError, EXIT } from '../cli-error.ts'
import type { FileCommand } from '../context.ts'
import schema from '../dataflow.schema.json' with { type: 'json' }
import { findQueryProblems } from './query-problems.ts'

const DEFAULT_FILE = 'dataflow.yaml'
const SCHEMA_FILE = 'dataflow.schema.json'

interface Problem {
  readonly file: string
  readonly line: number | null
  readonly message: string
}

export function findProblems(file: string, text: string): Problem[] {
  const { file: flowFile, problems, findLine } = readFlowFile(text)
  const queries = flowFile ? findQueryProblems(flowFile, schema as never, findLine) : []
  return [...problems, ...queries].map((problem) => ({ file, ...problem }))
}

export const formatProblem = ({ file, line, message }: Problem): string =>
  `${file}${line === null ? '' : `:${line}`}: ${message}`

export async function validateFiles(command: FileCommand): Promise<number> {
  if (command.args.length === 0) throw new CliError('Say which file. See: trellis help validate', EXIT.usage)
  const problems: Problem[] = []
  for (const file of command.args) {
    const fileProblems = findProblems(file, await command.readFile(file))
    problems.push(...fileProblems)
    if (fileProblems.length === 0 && !command.flags['json']) command.say(`${file} is valid.`)
  }
  if (command.flags['json']) command.print(JSON.stringify(problems, null, 2))
  else for (const problem of problems) command.print(formatProblem(problem))
  return problems.length === 0 ? EXIT.ok : EXIT.failed
}

/** Writes the schema next to it, so that editors complete it offline. */
export async function initFile(command: FileCommand): Promise<number> {
  const file = command.args[0] ?? DEFAULT_FILE
  await command.createFile(file, STARTER)
  const schemaFile = file.replace(/[^/\\]*$/, SCHEMA_FILE)
  await command.writeFile(schemaFile, `${JSON.stringify(schema, null, 2)}\n`)
  command.say(`${file} is a dataflow to begin with; ${schemaFile} lets editors complete it.`)
  command.say(`Next: trellis validate ${file}, then trellis apply ${file}`)
  return EXIT.ok
}

export async function printSchema(command: FileCommand): Promise<number> {
  const text = JSON.stringify(schema, null, 2)
  const file = command.flags['output']
  if (typeof file === 'string') await command.writeFile(file, `${text}\n`)
  else command.print(text)
  return EXIT.ok
}

const STARTER = `# yaml-language-server: $schema=./${SCHEMA_FILE}
trellis: dataflow
version: 1
name: My dataflow
blocks:
  # The key of a block decides which one is meant; its name can change.
  orders-by-day:
    kind: Transformation
    name: Orders by day
    integration: workspace database
    trigger:
      any:
        - schedule: { cron: 0 6 * * ? *, zone: UTC }
    settings:
      language: sql
      code: |
        create table if not exists orders_by_day (day date primary key, orders int);
`
