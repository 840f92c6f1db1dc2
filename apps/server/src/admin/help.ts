const COMMON = `  --json        the result as JSON, for other programs
  -h, --help    this text

Uses the settings (TRELLIS_…) and the data folder of the server. Exit codes: 0 done, 1 failed, 2 used wrongly.`

const TOPICS = {
  jobs: `  trellis admin jobs list [--failed]      background jobs that wait, run or failed
  trellis admin jobs retry <id> | --all   put failed jobs back in their queue`,
  keys: `  trellis admin keys rotate               protect stored secrets with a new root key
  trellis admin keys rotate --finish      delete the previous root key once the new one is backed up`,
  check: '  trellis admin check                     check databases, keys, files and disk space of this installation',
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
  check: 'Changes nothing. A warning does not change the exit code; a failed check does.',
}

export function buildHelp(topic?: Topic): string {
  if (topic) return `${TOPICS[topic]}\n\n${DETAILS[topic]}\n\n${COMMON}`
  return `trellis admin: look after an installation of Trellis, on its own machine\n\n${Object.values(TOPICS).join('\n')}\n\n${COMMON}`
}
