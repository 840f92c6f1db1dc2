import type { Engine } from '@trellis/assistant/engine/answer'
import { parseSearchQuestion } from '@trellis/assistant/engine/search/search-question'
import { buildSearchQuery } from '@trellis/assistant/engine/search/search-sql'
import { GUARD_LIMITS, runGuarded } from '@trellis/sql-guard/run-guarded'
import type { Session } from '@trellis/workspace-db/session'
import type { Figure } from '../report.ts'

interface SearchQuestion {
  readonly question: string
  /** `table.column` of every match; undefined if the question is no value search. */
  readonly places: readonly string[] | undefined
}

const toSearches = (list: readonly (readonly [question: string, places: string | undefined])[]): SearchQuestion[] =>
  list.map(([question, places]) => ({ question, places: places?.split(' ').filter((place) => place !== '') }))

const SEARCH_QUESTIONS: readonly SearchQuestion[] = toSearches([
  ['where does "Nimbus Shoes" occur?', 'campaigns.advertiser'],
  ['Where does Oat & Co appear', 'campaigns.advertiser'],
  ['find user77', 'viewers.username'],
  ['which tables contain Portuguese?', 'videos.lang'],
  ['where is Travel stored', 'channels.category'],
  ['search for ch12', 'channels.handle'],
  ['look for "comment 1500"', 'comments.body'],
  ['find unlisted', 'videos.visibility'],
  ['where does JP occur', 'channels.country viewers.country'],
  ['find Volt in campaigns', 'campaigns.advertiser'],
  ['which columns have premium', 'viewers.plan'],
  ['please find lumen books', 'campaigns.advertiser'],
  ['where does mobile occur?', 'watch_events.device'],
  ['in which table is Finch Bank', 'campaigns.advertiser'],
  ['where does "nothing of the kind" occur', ''],
  ['find "100%"', ''],
  ['find all videos', undefined],
  ['find viewers in Germany', undefined],
  ['where are our viewers from', undefined],
  ['find the longest video', undefined],
  ['which channels have more than 5 videos', undefined],
  ['find videos published this year', undefined],
  ['which category has the most videos', undefined],
  ['search campaigns by budget', undefined],
])

type Scope = Parameters<typeof runGuarded>[1]['scope']

export async function measureSearch(
  session: Session,
  { engine, scope, now }: { engine: Engine; scope: Scope; now: Date },
): Promise<Figure[]> {
  let right = 0
  for (const { question, places } of SEARCH_QUESTIONS) {
    const found = await search(session, { engine, scope, now }, question)
    if (found === places?.toSorted().join(' ')) right += 1
    else console.log(`search  ${question}: ${found ?? 'no search'}, expected ${places?.join(' ') ?? 'no search'}`)
  }
  const what = `search: places of a value found, of ${SEARCH_QUESTIONS.length}`
  const value = (100 * right) / SEARCH_QUESTIONS.length
  return [{ what, value, unit: '%', limit: { value: 90, isAtMost: false } }]
}

async function search(
  session: Session,
  { engine, scope, now }: { engine: Engine; scope: Scope; now: Date },
  text: string,
): Promise<string | undefined> {
  const requestedValueSearch = parseSearchQuestion(engine, { text, now })
  if (!requestedValueSearch) return undefined
  const { sql } = buildSearchQuery(engine.model, requestedValueSearch)
  if (sql === null) return ''
  const { result, account } = await runGuarded(session, { sql, scope, limits: GUARD_LIMITS })
  if (!result) throw new Error(`${text}: ${account.refusal?.message}`)
  const places = result.rows.map(([table, column]) => `${table?.split('.').at(-1)}.${column}`)
  return [...new Set(places)].toSorted().join(' ')
}
