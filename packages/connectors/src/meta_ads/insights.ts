import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import { countDays, halveWindow } from '../shared/day-windows.ts'
import type { DayWindow } from '../shared/day-windows.ts'
import type { GraphAnswer } from './api.ts'
import { callGraph, readPages } from './api.ts'
import type { Level } from './catalogue.ts'
import { toText } from '../shared/list-texts.ts'

export interface InsightsQuery {
  readonly level: Level
  readonly metrics: readonly string[]
  readonly breakdowns: readonly string[]
  readonly attribution: readonly string[]
}

interface Piece {
  readonly account: string
  readonly window: DayWindow
  readonly campaigns: readonly string[] | null
}

const FIRST_WAIT_MS = 2000
const MAX_WAIT_MS = 30_000
const MAX_TOTAL_WAIT_MS = 3_600_000
const RECORDS_A_PAGE = 500
const CAMPAIGNS_A_PAGE = 500

/** A report that is too large or fails is split: first its days, then its campaigns. */
export async function* readInsights(
  context: ConnectorContext,
  query: InsightsQuery,
  piece: Piece,
): AsyncGenerator<readonly GraphAnswer[]> {
  const run = await finishedRun(context, query, piece)
  if (run === null) {
    for (const half of await splitPiece(context, query, piece)) yield* readInsights(context, query, half)
    return
  }
  for await (const { records } of readPages(context, { path: `${run}/insights` }, { size: RECORDS_A_PAGE }))
    yield records
}

const LEVEL_FIELDS: Readonly<Record<Level, string>> = {
  account: 'account_id,account_name',
  campaign: 'account_id,account_name,campaign_id,campaign_name',
  adset: 'account_id,account_name,campaign_id,campaign_name,adset_id,adset_name',
  ad: 'account_id,account_name,campaign_id,campaign_name,adset_id,adset_name,ad_id,ad_name',
}

async function finishedRun(
  context: ConnectorContext,
  query: InsightsQuery,
  { account, window, campaigns }: Piece,
): Promise<string | null> {
  const { level, metrics, breakdowns, attribution } = query
  const form = {
    level,
    fields: [LEVEL_FIELDS[level], ...metrics].join(','),
    time_range: JSON.stringify({ since: window.from, until: window.to }),
    time_increment: '1',
    ...(breakdowns.length > 0 ? { breakdowns: breakdowns.join(',') } : {}),
    ...(attribution.length > 0 ? { action_attribution_windows: JSON.stringify(attribution) } : {}),
    ...(campaigns ? { filtering: JSON.stringify([{ field: 'campaign.id', operator: 'IN', value: campaigns }]) } : {}),
  }
  const created = await callGraph(context, { path: `act_${account}/insights`, form })
  if (created === null) return null
  const run = toText(created['report_run_id'])
  if (run === '') throw new ConnectorError('transient', 'Meta did not say under which number it makes the report.')
  return (await isReady(context, run)) ? run : null
}

async function isReady(context: ConnectorContext, run: string): Promise<boolean> {
  const started = context.now().getTime()
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(MAX_WAIT_MS, wait * 2)) {
    const answer = await callGraph(context, { path: run, query: { fields: 'async_status,async_percent_completion' } })
    const status = answer?.['async_status']
    if (status === 'Job Completed') return true
    if (answer === null || status === 'Job Failed' || status === 'Job Skipped') return false
    if (context.now().getTime() - started > MAX_TOTAL_WAIT_MS) {
      throw new ConnectorError('transient', 'Meta has not finished a report within an hour.', {
        advice: 'It is retried automatically.',
      })
    }
    context.log('DEBUG', `Meta makes the report: ${toText(answer['async_percent_completion'])} %.`)
    await context.wait(wait)
  }
}

async function splitPiece(context: ConnectorContext, query: InsightsQuery, piece: Piece): Promise<Piece[]> {
  const { account, window } = piece
  const days = countDays(window.from, window.to) + 1
  if (days > 1) {
    context.log('INFO', `Account ${account}: ${days} days are too much for one report, they are read in two.`)
    return halveWindow(window).map((half) => ({ ...piece, window: half }))
  }
  const campaigns = piece.campaigns ?? (query.level === 'account' ? [] : await listCampaigns(context, account))
  if (campaigns.length < 2) throw reportTooLargeError(account, window.from)
  const half = Math.ceil(campaigns.length / 2)
  return [campaigns.slice(0, half), campaigns.slice(half)].map((some) => ({ ...piece, campaigns: some }))
}

const reportTooLargeError = (account: string, day: string) =>
  new ConnectorError(
    'configuration',
    `Meta can't make this report of account ${account} even for the single day ${day}.`,
    {
      advice: 'Choose fewer numbers or breakdowns, or read it by campaign.',
      field: 'report.breakdowns',
    },
  )

async function listCampaigns(context: ConnectorContext, account: string): Promise<string[]> {
  const ids: string[] = []
  const request = { path: `act_${account}/campaigns`, query: { fields: 'id' } }
  for await (const { records } of readPages(context, request, { size: CAMPAIGNS_A_PAGE }))
    ids.push(...records.map(({ id }) => toText(id)))
  return ids
}
