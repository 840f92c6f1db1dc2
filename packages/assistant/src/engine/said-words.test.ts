import { describe, expect, test } from 'vitest'
import { answerQuestion, createEngine } from './answer.ts'
import { NOW, ask, toKey, toTable } from './testing.ts'

const line = createEngine({
  tables: [
    toTable('agents', ['agent_id integer', 'agent_name', 'team text North South', 'shift text early late']),
    toTable('callers', ['caller_id integer', 'caller_name', 'tariff text basic gold']),
    toTable('talk_events', [
      'talk_id integer',
      'agent_id integer',
      'caller_id integer',
      'talked_sec integer',
      'happened_at timestamp',
    ]),
    toTable('registrations', ['registration_id integer', 'caller_id integer', 'agent_id integer', 'since date']),
    toTable('trainings', ['training_id integer', 'topic', 'length_min integer']),
    toTable('refund_claim', ['claim_id integer', 'caller_id integer', 'claimed_eur number']),
  ],
  foreignKeys: [
    toKey('talk_events', 'agent_id', 'agents'),
    toKey('talk_events', 'caller_id', 'callers'),
    toKey('registrations', 'caller_id', 'callers'),
    toKey('registrations', 'agent_id', 'agents'),
    toKey('refund_claim', 'caller_id', 'callers'),
  ],
  synonyms: [],
})

describe('words as people say them', () => {
  test.each([
    ['talk time by team', 'select a.team, sum(te.talked_sec)'],
    ['top 3 agents by talk time', 'order by sum(te.talked_sec) desc, a.agent_id limit 3'],
    ['how much time was talked', 'select sum(te.talked_sec)'],
    ['talk events per agent shift', 'select a.shift, count(*)'],
    ['top 5 callers by talk events', 'order by count(*) desc, c.caller_id limit 5'],
    ['trainings longer than 2 hours', 'where t.length_min > 120'],
    ['trainings shorter than 90 seconds', 'where t.length_min < 1.5'],
    ['callers who never submitted a refund claim', 'where not exists (select from s.refund_claim'],
    ['what percentage of callers are on the gold tariff', `filter (where c.tariff = 'gold')`],
    ['total claimed by tariff', 'sum(rc.claimed_eur)'],
    ['talk events of agents in the late shift', `a.shift = 'late'`],
    ['how many early shift agents are there', `count(*) as agents_count from s.agents a where a.shift = 'early'`],
    ['How many agents do we manage?', 'select count(*) as agents_count from s.agents a'],
  ])('%s', (question, part) => {
    expect(ask(line, question)).toContain(part)
  })

  test('codes are meant by what the comment of their column says', () => {
    const checks = toTable('checks', ['check_id integer', 'result text P F'])
    const [key, result] = checks.columns
    if (!key || !result) throw new Error('no columns')
    const engine = createEngine({
      tables: [{ ...checks, columns: [key, { ...result, comment: 'P = passed, F = failed' }] }],
      foreignKeys: [],
      synonyms: [],
    })
    expect(answerQuestion(engine, { text: 'how many failed checks', now: NOW, choices: {} })).toMatchObject({
      reading: { sql: expect.stringContaining(`c.result = 'F'`) },
    })
  })

  test('who did something is not as many as it was done', () => {
    const channels = createEngine({
      tables: [
        toTable('subscriptions', ['subscription_id integer', 'channel_id integer', 'since date']),
        toTable('channels', ['channel_id integer', 'channel_name']),
      ],
      foreignKeys: [toKey('subscriptions', 'channel_id', 'channels')],
      synonyms: [],
    })
    const read = (text: string) => answerQuestion(channels, { text, now: NOW, choices: {} })
    expect(read('how many subscribers are there').kind).toBe('readings')
    expect(read('subscribers per channel')).toMatchObject({
      reading: { sql: expect.stringContaining('count(*) as subscriptions_count') },
    })
  })
})
