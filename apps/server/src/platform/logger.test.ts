import { expect, test } from 'vitest'
import { createLogger } from './logger.ts'

function logging() {
  const lines: string[] = []
  const log = createLogger({
    level: 'info',
    role: 'test',
    destination: { write: (line: string) => void lines.push(line) },
  })
  return { log, lines, read: () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown> }
}

test('one object a line, with role, level and time', () => {
  const { log, lines, read } = logging()
  log.child({ reqId: 'r-1' }).info({ call: 'login', text: 'line\nbreak' }, 'call')
  expect(lines[0]?.trimEnd()).not.toContain('\n')
  expect(read()).toMatchObject({ role: 'test', level: 'info', reqId: 'r-1', call: 'login', msg: 'call' })
})

test('what carries secrets by its name is hidden, however deep', () => {
  const { log, lines } = logging()
  const secrets = ['S3cret!', '123456', 'Bearer abc', 'tok-1', 'list-secret']
  log.info({
    password: secrets[0],
    body: { code: secrets[1], nested: { token: secrets[3], list: [{ secret: secrets[4] }] } },
    headers: { authorization: secrets[2] },
  })
  for (const secret of secrets) expect(lines.join()).not.toContain(secret)
})

test('codes of errors stay readable', () => {
  const { log, read } = logging()
  log.error({ code: 'ECONNRESET', err: new Error('cut') }, 'failed')
  expect(read()).toMatchObject({ code: 'ECONNRESET', err: { message: 'cut' } })
})
