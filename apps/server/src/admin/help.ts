const COMMON = `  --json        the result as JSON, for other programs
  -h, --help    this text

Uses the settings (TRELLIS_…) and the data folder of the server. Exit codes: 0 done, 1 failed, 2 used wrongly.`

const TOPICS = {
  jobs: `  trellis admin jobs list [--failed]      background jobs that wait, run or failed
  trellis admin jobs retry <id> | --all   put failed jobs back in their queue`,
  keys: `  trellis admin keys rotate               protect stored secrets with a new root key
  trellis admin keys rotate --finish      delete the previous root key once the new one is backed up`,
  clusters: `  trellis admin clusters list             servers that hold workspaces' databases
  trellis admin clusters add <name>       add a server: new workspaces are placed on it, too
  trellis admin clusters change <name>    its address, capacity or state
  trellis admin clusters drain <name>     move its workspaces to the other servers
  trellis admin clusters remove <name>    forget a server that holds no workspace any more`,
  workspaces: `  trellis admin workspaces list             every workspace with its code, cluster and size
  trellis admin workspaces move <code>      move a workspace to another server`,
  backup:
    '  trellis admin backup <folder>           copy databases, files and, with a passphrase, keys, while Trellis runs',
  restore: '  trellis admin restore <folder>          bring an installation back from a backup',
  verify: '  trellis admin verify <folder>           try a backup: restore it beside, read every row, open the secrets',
  doctor:
    '  trellis admin doctor                    check settings, databases, keys, files and disk space, and say what to do',
  migrate: '  trellis admin migrate                   bring the tables up to date',
} as const

export type Topic = keyof typeof TOPICS

export const isTopic = (name: string | undefined): name is Topic => name !== undefined && Object.hasOwn(TOPICS, name)

const DETAILS: Record<Topic, string> = {
  jobs: 'A failed job is kept for 14 days. A retried one gets one more attempt.',
  keys: `With the root key in the data folder, Trellis may keep running: it finds the new key by itself. The previous
key stays in keys/root-previous.key, and opens what it protected, until --finish. Killed in the middle, both keys
open; run the command again to continue.

With TRELLIS_ROOT_KEY: set it to the new key and TRELLIS_ROOT_KEY_PREVIOUS to the old one on every machine,
restart, run "keys rotate", then remove TRELLIS_ROOT_KEY_PREVIOUS and restart. Everybody has to sign in again.`,
  clusters: `  --address-file <file>   a file with the address: postgres://trellis_admin:…@db2.example.com:5432/postgres
  --replica-file <file>   a file with the address of a server that follows it: explorer, worksheets of viewers and
                          sparks read there while it has everything that is committed; --no-replica ends that
  --capacity <n> | none   workspaces that it takes; none is no limit
  --open, --full          take new workspaces, or no more of them
A new workspace goes to the open cluster of which the smallest part is used; one without a capacity is compared as if
it took 300. drain takes the options of: trellis admin workspaces --help. With capacity 0 a cluster is left to workspaces that are moved there. Every process must run this version.`,
  workspaces: `  --to <cluster>    a name of: trellis admin clusters list
  --wait <minutes>  for runs under way, 10 without it; none begins meanwhile
The database is copied and compared while it can only be read; sessions that write, and those of outside tools, are
ended before. Interrupted or killed, the workspace stays where it is, and takes writes again within three minutes. Its
connection page shows the new address; tools that connect to the database need it.`,
  backup: `  --passphrase-file <file>   put the keys in it, sealed with the passphrase in this file
  --without-objects          leave out uploaded and exported files, for a bucket with versions of its own

The folder must be new or empty. Nothing has to be stopped. Without --passphrase-file the keys stay out: keep the
folder keys/ (or TRELLIS_ROOT_KEY) elsewhere. With a Postgres of your own the databases are backed up by its tools.`,
  restore: `  --passphrase-file <file>   opens the keys in the backup
  --replace                  restore although there is data: it is kept under another name

Trellis must be stopped. The whole backup is checked before anything is written. Without keys in the backup, put
keys/root.key of its time into the data folder first, or set TRELLIS_ROOT_KEY.`,
  verify: `  --passphrase-file <file>   opens the keys in the backup

Restores into the folder for temporary files (TMPDIR) and deletes that again; a running Trellis is not touched.`,
  doctor:
    'Runs what a start checks, and looks at what is stored. Changes nothing. A warning does not change the exit code; a failed\ncheck does. "check" is its name before.',
  migrate: `Connects as TRELLIS_DATABASE_OWNER_URL where that is set, else as TRELLIS_DATABASE_URL, and lets the login of
TRELLIS_DATABASE_URL use the tables. Run it once with the new version, before its processes start. Running ones go on.`,
}

export function buildHelp(topic?: Topic): string {
  if (topic) return `${TOPICS[topic]}\n\n${DETAILS[topic]}\n\n${COMMON}`
  return `trellis admin: look after an installation of Trellis, on its own machine\n\n${Object.values(TOPICS).join('\n')}\n\n${COMMON}`
}
