import { deflateSync } from 'node:zlib'
import { guardContext } from './page-guard.ts'
import { faultsIn } from './product.ts'
import { readEnvelope } from './reports.ts'
import { expect, test } from './test.ts'
import { totp } from './totp.ts'

test('the guard notes what a page would rather keep to itself', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ baseURL: baseURL ?? '' })
  const { problems } = guardContext(context, { host: new URL(baseURL ?? '').host, otherHosts: [], errors: /expected/ })
  const page = await context.newPage()
  await page.goto('/login')
  await page.evaluate(() => {
    console.error('expected')
    console.error('planted')
    setTimeout(() => {
      throw new Error('thrown')
    })
    void fetch('http://other.example/').catch(() => undefined)
    document.body.append(Object.assign(new Image(), { src: 'http://127.0.0.1:9/pixel.png' }))
  })
  await expect
    .poll(() => problems.join('\n'))
    .toMatch(/(?=.*console: planted)(?=.*exception: Error: thrown)(?=.*Content Security Policy)/s)
  expect(problems.join('\n')).not.toContain('expected')
  await page.goto('http://127.0.0.1:9/').catch(() => undefined)
  expect(problems).toContain('another host: http://127.0.0.1:9/')
  await context.close()
})

test('errors and unasked endings are found in a log, ordinary lines are not', () => {
  const log = [
    '{"level":"info","call":"login","status":401}',
    '{"level":"error","msg":"broken"}',
    '  ! The api stopped unexpectedly (SIGKILL).',
    '    at run (file:///app/main.ts:3:1)',
    '  Press Ctrl-C to stop.',
  ]
  expect(faultsIn(log.join('\n'))).toEqual([log[1], log[2], log[3]])
})

test('an envelope is read whole, packed recordings too', () => {
  const packed = Buffer.concat([Buffer.from('{"segment_id":0}\n'), deflateSync('["typed"]')])
  const envelope = Buffer.concat([
    Buffer.from('{"dsn":"x"}\n{"type":"event"}\n{"message":"fault"}\n'),
    Buffer.from(`{"type":"replay_recording","length":${packed.length}}\n`),
    packed,
  ])
  expect(readEnvelope(envelope)).toEqual([
    { type: 'event', text: '{"message":"fault"}' },
    { type: 'replay_recording', text: '{"segment_id":0}\n["typed"]' },
  ])
})

test('codes are those of an authenticator app', () => {
  const now = Date.now
  Date.now = () => 59_000
  expect(totp('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')).toBe('287082')
  Date.now = now
})
