import type { Spark, SparkData } from '@trellis/contract/sparks/sparks.schemas'

interface Problems {
  readonly since: string
  readonly messages: readonly string[]
}

/** From the responses on the page, or the last check for sources that have not loaded. */
export function listProblems(
  { stale_since, problems }: Pick<Spark, 'stale_since' | 'problems'>,
  reads: Readonly<Record<string, Pick<SparkData, 'stale_since' | 'problem'>>>,
): Problems | null {
  const before = problems.filter(({ source }) => reads[source] === undefined)
  const now = Object.values(reads).filter((read) => read.stale_since !== null)
  const times = [...(before.length > 0 ? [stale_since] : []), ...now.map((read) => read.stale_since)]
  const [since] = times.filter((time) => time !== null).toSorted()
  if (since === undefined) return null
  const messages = [...before.map(({ message }) => message), ...now.map(({ problem }) => problem ?? '')]
  return { since, messages: [...new Set(messages)].filter((message) => message !== '') }
}
