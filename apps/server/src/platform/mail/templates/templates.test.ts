import { describe, expect, test } from 'vitest'
import { activationCodeMail } from './activation-code.ts'
import { alreadyRegisteredMail } from './already-registered.ts'
import { digestMail } from './digest.ts'
import { expiredDataMail } from './expired-data.ts'
import { failedQuestionMail } from './failed-question.ts'
import { type Mail, renderMail } from './layout.ts'
import { passwordChangedMail } from './password-changed.ts'
import { resetCodeMail } from './reset-code.ts'
import { scheduledSparkMail } from './scheduled-spark.ts'
import { secondFactorChangedMail } from './second-factor-changed.ts'
import { signInMethodAddedMail } from './sign-in-method-added.ts'

const publicUrl = 'https://trellis.example.com'

const all: [string, (firstName: string) => Mail][] = [
  ['activation code', (firstName) => activationCodeMail({ firstName, code: '042137', minutes: 15, publicUrl })],
  ['reset code', (firstName) => resetCodeMail({ firstName, code: '042137', minutes: 15, publicUrl })],
  ['already registered', (firstName) => alreadyRegisteredMail({ firstName, publicUrl })],
  ['password changed', (firstName) => passwordChangedMail({ firstName, publicUrl, tokens: 'kept' })],
  ['password reset', (firstName) => passwordChangedMail({ firstName, publicUrl, tokens: 'revoked' })],
  [
    'expired data',
    (firstName) => expiredDataMail({ firstName, accountName: '<b>Acme</b>', on: '2026-03-01', publicUrl }),
  ],
  [
    'digest',
    (firstName) =>
      digestMail({
        firstName,
        notifications: [{ title: '<b>Load</b> failed', detail: 'No rows.', count: 2, at: new Date(0) }],
        publicUrl,
      }),
  ],
  [
    'failed question',
    (firstName) =>
      failedQuestionMail({
        question: '<b>total</b> by status',
        firstName,
        problem: 'The table <b>orders</b> is gone.',
        url: `${publicUrl}/a/w/ai/jobs`,
        publicUrl,
      }),
  ],
  [
    'scheduled spark',
    (firstName) =>
      scheduledSparkMail({
        name: '<b>Revenue</b>',
        firstName,
        parts: [
          { kind: 'heading', text: '<b>This month</b>' },
          { kind: 'number', title: '<b>Orders</b>', value: '110 <b>', note: '▲ 10.0% <b>' },
          { kind: 'table', title: '<b>', columns: [{ name: '<b>', kind: 'text' }], rows: [['<b>']], more: 2 },
        ],
        staleSince: '2026-03-01T08:00:00.000Z',
        url: `${publicUrl}/a/w/sparks/s`,
        publicUrl,
      }),
  ],
  ['second factor on', (firstName) => secondFactorChangedMail({ firstName, change: 'on', publicUrl })],
  ['second factor off', (firstName) => secondFactorChangedMail({ firstName, change: 'off', publicUrl })],
  ['new recovery codes', (firstName) => secondFactorChangedMail({ firstName, change: 'new codes', publicUrl })],
  [
    'sign-in method added',
    (firstName) => signInMethodAddedMail({ firstName, method: '<b>Acme</b> & sons', publicUrl }),
  ],
]

describe.each(all)('%s', (_, make) => {
  test('greets in HTML and in text, and names this Trellis', () => {
    const mail = make('Zoë')
    expect(mail.html).toContain('Hello Zoë,')
    expect(mail.text).toMatch(/^Hello Zoë,\n/)
    expect(mail.text).toContain(publicUrl)
    expect(mail.subject).not.toBe('')
  })

  test('loads nothing from elsewhere, runs nothing and links only to this Trellis', () => {
    const { html } = make('Zoë')
    expect(html).not.toMatch(/<(script|img|link|iframe|form)\b/)
    expect(html).not.toMatch(/url\(|@import|\son[a-z]+=/)
    const links = [...html.matchAll(/href="([^"]*)"/g)].map((match) => match[1])
    expect(links.length).toBeGreaterThan(0)
    for (const link of links) expect(link).toMatch(/^https:\/\/trellis\.example\.com(\/|$)/)
  })

  test('has colours for both schemes', () => {
    expect(make('Zoë').html).toContain('prefers-color-scheme: dark')
  })
})

test.each(all)('%s: a name that is no name is left out', (_, make) => {
  const names = [
    '<img src=x onerror=alert(1)>',
    'win at http://evil.example',
    'evil.example',
    'a@evil.example',
    'x'.repeat(41),
    '',
    ' \r\nBcc: a@b.c',
  ]
  for (const name of names) {
    const mail = make(name)
    expect(mail.text).toMatch(/^Hello,\n/)
    expect(mail.html).not.toContain('evil.example')
    expect(mail.html).not.toContain('onerror')
  }
})

test.each(["O'Brien", 'Anne-Marie', 'José María', '美咲', 'Nguyễn'])('%s is a name', (name) => {
  expect(alreadyRegisteredMail({ firstName: name, publicUrl }).text).toContain(`Hello ${name},`)
})

test.each([activationCodeMail, resetCodeMail])('a code stands in both bodies and not in the subject', (make) => {
  const mail = make({ firstName: 'Zoë', code: '042137', minutes: 15, publicUrl })
  for (const body of [mail.html, mail.text]) expect(body).toContain('042137')
  expect(mail.subject).not.toContain('042137')
})

test('everything is escaped', () => {
  const mail = renderMail({
    subject: '</title><script>1</script>\r\nBcc: x@y.z',
    preview: '"><i>',
    firstName: "O'Brien",
    publicUrl,
    blocks: [
      { kind: 'text', text: '<b>&"\'' },
      { kind: 'note', text: '<u>' },
      { kind: 'code', code: '<s>' },
      { kind: 'button', label: '<em>', url: 'https://trellis.example.com/?a="><b>' },
    ],
  })
  expect(mail.subject).toBe('</title><script>1</script> Bcc: x@y.z')
  for (const tag of ['<script', '<i>', '<b>', '<u>', '<s>', '<em>']) expect(mail.html).not.toContain(tag)
})

test('a chart is a picture that travels with the mail, and is told in words', () => {
  const series = [{ label: '<b>Revenue</b>', values: [1, null, 12_345.678] }]
  const chart = { kind: 'chart', title: 'By day', drawn: 'line', places: ['Mon', 'Tue', 'Wed'], series } as const
  const about = { name: 'Shop', firstName: 'Zoë', parts: [chart], staleSince: null, url: publicUrl, publicUrl }
  const mail = scheduledSparkMail(about)
  const [, png = ''] =
    /<img src="data:image\/png;base64,([^"]+)" alt="Mon to Wed, from 1 to 12,345.68"/.exec(mail.html) ?? []
  expect(Buffer.from(png, 'base64').subarray(1, 4).toString()).toBe('PNG')
  expect(mail.html).not.toContain('<b>Revenue')
  expect(mail.text).toContain('Mon to Wed, from 1 to 12,345.68')
})

test('numbers of a spark stand beside each other, bars with their names, and cells as numbers are written', () => {
  const parts = [
    { kind: 'number', title: 'Revenue', value: '160,342 €', note: '▼ 3.4% from 166,048 €' },
    { kind: 'number', title: 'Orders', value: '288', note: '' },
    {
      kind: 'chart',
      title: 'By channel',
      drawn: 'bar',
      places: ['direct', 'search'],
      series: [{ label: 'n', values: [4000, 1000] }],
    },
    {
      kind: 'table',
      title: 'All',
      columns: [{ name: 'n', kind: 'decimal' }],
      rows: [['1234567.5'], ['12345678901234567890'], [null]],
      more: 0,
    },
  ] as const
  const mail = scheduledSparkMail({
    name: 'Shop',
    firstName: 'Zoë',
    parts,
    staleSince: null,
    url: publicUrl,
    publicUrl,
  })
  expect(mail.text).toContain('Revenue: 160,342 € (▼ 3.4% from 166,048 €)\nOrders: 288')
  expect(mail.text).toMatch(/By channel\ndirect #{20} 4,000\nsearch #{5} 1,000/)
  expect(mail.text).toContain('n\n1,234,567.5\n12345678901234567890\n')
  expect(mail.html).not.toContain('<img')
  expect(mail.html).toMatch(/text-align:right">1,234,567.5</)
})

test('a link to anything but a web page is refused', () => {
  const blocks = [{ kind: 'button', label: 'Go', url: 'javascript:alert(1)' }] as const
  expect(() => renderMail({ subject: 's', preview: '', firstName: '', publicUrl, blocks })).toThrow(/web pages only/)
})
