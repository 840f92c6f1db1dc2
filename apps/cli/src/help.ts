import { CliError, EXIT } from './cli-error.ts'

const COMMANDS = {
  login: `trellis login --url <address> --token <token> [--workspace <account/workspace>]
                                     tries the token and keeps it in a file only you can read`,
  whoami: 'trellis whoami                     whose token it is',
  workspaces: 'trellis workspaces                 where the token can work',
  flows: 'trellis flows                      dataflows of the workspace',
  init: `trellis init [file]                a dataflow to begin with, and its schema for editors beside it`,
  validate: `trellis validate <file> …          what is wrong with files, by line; needs no server`,
  watch: `trellis watch <file> [--flow x]    judges the file each time it is saved; with a workspace also what would change
        --apply                      and changes it
        --prune, --publish           as with apply`,
  schema: 'trellis schema [-o file]           the JSON Schema of a dataflow file, for editors',
  export: 'trellis export <flow> [-o file]    a dataflow as YAML',
  diff: `trellis diff <file> [--flow x]     what applying the file would change
        --prune                      with what is not in the file deleted`,
  apply: `trellis apply <file> [--flow x]    tries the file, then makes the dataflow what it says
        --prune                      deletes blocks and groups that are not in the file; without it they stay
        --publish [-m message]       publishes what changed
        --allow-missing              also when a connection is not there`,
  run: `trellis run <flow>                 runs the dataflow from the blocks that wait for no other, and prints the code of the run
  trellis run <flow> <block>         runs one block now
        --from-here                  and everything that waits for it
        --window 2026-01-01..2026-01-31    only this range
        --full                       everything again
        --shadow                     the draft, without changing a table; the log tells what would be different
        --wait                       until all of it is over; the exit code says how it ended
        -f, --follow                 prints the log until it is over`,
  runs: `trellis runs <flow> [--status failed]   runs of the whole dataflow
        --blocks                     runs of its blocks instead; --block x those of one`,
  logs: `trellis logs <run> [--level ERROR]  of a block, or of all blocks of a run of the dataflow
        -f, --follow                 until it is over; the exit code says how it ended`,
  cancel: 'trellis cancel <run>               a run of the dataflow or of a block',
  retry: `trellis retry <run>                what did not succeed in a run of the dataflow, or a block
        --wait, -f, --follow         as with run`,
  decide: `trellis decide <run> accept        changes the table as the source has changed, and goes on with the paused run
  trellis decide <run> keep          keeps the table as it is, and goes on
        --wait, -f, --follow         as with run`,
  admin: 'trellis admin …                    looks after an installation on its own machine: trellis admin --help',
} as const

const GROUPS: readonly (readonly (keyof typeof COMMANDS)[])[] = [
  ['login', 'whoami', 'workspaces'],
  ['init', 'validate', 'watch', 'schema'],
  ['flows', 'export', 'diff', 'apply'],
  ['run', 'runs', 'logs', 'cancel', 'retry', 'decide'],
  ['admin'],
]

const EVERYWHERE = `  -w, --workspace account/workspace   also TRELLIS_WORKSPACE
  --url, --token                      also TRELLIS_URL, TRELLIS_TOKEN; a token typed out is seen by others on the
                                      machine, "--token -" reads it from the standard input
  --json                              for other programs; with --wait the run as it ended`

const EXITS =
  'Exit codes: 0 done, 1 failed or something is wrong with a file, 2 used wrongly, 3 something differs (diff), 4 the run is\npaused until somebody decides.'

export const HELP = `trellis: dataflows from the command line

${GROUPS.map((names) => names.map((name) => `  ${COMMANDS[name]}`).join('\n')).join('\n\n')}

  trellis help <command>              one command with its options
  trellis --version

${EVERYWHERE}

A dataflow or block is named by its name or its code; "-" as file reads the standard input.
${EXITS}`

export function getHelp(name: string): string {
  if (!Object.hasOwn(COMMANDS, name)) throw new CliError(`There is no command "${name}". See: trellis help`, EXIT.usage)
  return `${COMMANDS[name as keyof typeof COMMANDS]}\n\n${EVERYWHERE}\n\n${EXITS}`
}
