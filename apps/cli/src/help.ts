export const HELP = `trellis: dataflows from the command line

  trellis login --url <address> --token <token> [--workspace <account/workspace>]
                                     tries the token and keeps it in a file only you can read
  trellis whoami                     whose token it is
  trellis workspaces                 where the token can work

  trellis flows                      dataflows of the workspace
  trellis export <flow> [-o file]    a dataflow as YAML
  trellis diff <file> [--flow x]     what applying the file would change
  trellis apply <file> [--flow x]    tries the file, then makes the dataflow what it says
        --publish [-m message]       publishes what changed
        --allow-missing              also when a connection is not there

  trellis run <flow> <block>         runs a block now and prints the code of the run
        --from-here                  and everything that waits for it
        --window 2026-01-01..2026-01-31    only this range
        --full                       everything again
        --shadow                     the draft, without changing a table; the log tells what would be different
        -f, --follow                 prints the log until it is over
  trellis runs <flow> [--status FAILED] [--block x]
  trellis logs <run> [-f] [--level ERROR]
  trellis cancel <run>
  trellis retry <run> [-f]

  trellis admin …                    looks after an installation on its own machine: trellis admin --help

  -w, --workspace account/workspace   also TRELLIS_WORKSPACE
  --url, --token                      also TRELLIS_URL, TRELLIS_TOKEN; a token typed out is seen by others on the
                                      machine, "--token -" reads it from the standard input
  --json                              for other programs

A dataflow or block is named by its name or its code; "-" as file reads the standard input.
Exit codes: 0 done, 1 failed, 2 used wrongly, 3 something differs (diff).`
