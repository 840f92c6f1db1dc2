import type { Filter } from '../plan/plan.ts'
import { type Column, type Table, isYear } from '../schema/model.ts'
import type { TimeMention } from '../words/times.ts'
import type { Mention } from './find-mentions.ts'
import { type Question, getColumn, isNearby } from './scan-question.ts'

/** The question without the times that were compared with year columns. */
export interface YearComparisons {
  readonly question: Question
  readonly usedMentions: readonly Mention[]
  readonly filters: readonly Filter[]
}

/** "published after 2015", "born before 1920" on a column that stores the year as a number. */
export function readYearComparisons(question: Question): YearComparisons {
  const usedMentions: Mention[] = []
  const filters: Filter[] = []
  const times = question.times.filter((time) => {
    const yearMention = question.mentions.find((mention) => {
      const column = getColumn(mention)
      return column && isYear(column) && isNearby(question, { from: mention.end, to: time.start, maxTokens: 2 })
    })
    const column = yearMention && getColumn(yearMention)
    const comparedFilters = column ? buildYearFilters(column, time) : []
    if (!yearMention || comparedFilters.length === 0) return true
    usedMentions.push(yearMention)
    filters.push(...comparedFilters)
    return false
  })
  return { question: { ...question, times }, usedMentions, filters }
}

/** "titles of 2015": the only year column of a table without dates. */
export function findSingleYearColumn(table: Table): Column | undefined {
  const [year, secondYear] = table.columns.filter((column) => isYear(column))
  return secondYear ? undefined : year
}

/** "after 2015" on a year column as a number; none if the time is not whole years. */
export function buildYearFilters(column: Column, { range: { from, to } }: Pick<TimeMention, 'range'>): Filter[] {
  if ([from, to].some((day) => day !== null && !day.endsWith('-01-01'))) return []
  const toYear = (day: string) => Number(day.slice(0, 4))
  return [
    ...(from === null ? [] : [{ kind: 'compare', column, comparator: '>=', value: toYear(from) } as const]),
    ...(to === null ? [] : [{ kind: 'compare', column, comparator: '<', value: toYear(to) } as const]),
  ]
}
