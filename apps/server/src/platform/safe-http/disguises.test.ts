import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSafeHttp } from './safe-http.ts'
import { DISGUISED_NAMES, DISGUISES } from './testing/disguises.ts'
import { type Canary, closeServers, startCanary } from './testing/local-servers.ts'

let canary: Canary
const http = createSafeHttp({
  allowPrivateHosts: false,
  allowList: [],
  resolver: async (name) => DISGUISED_NAMES[name] ?? Promise.reject(new Error('ENOTFOUND')),
})

beforeAll(async () => {
  const hasV6 = Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => address === '::1'),
  )
  canary = await startCanary(hasV6 ? ['127.0.0.1', '::1'] : ['127.0.0.1'])
})
afterAll(async () => {
  await http.close()
  await closeServers()
})

const elsewhere = [
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '100.64.0.1',
  '100.127.255.255',
  '169.254.169.254',
  '169.254.170.2',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '[64:ff9b::a9fe:a9fe]',
  '[2002:a9fe:a9fe::]',
  '[fd00:ec2::254]',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '192.88.99.1',
  '[fc00::1]',
  '[fdff::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[100::1]',
  '[2001:db8::1]',
  '[5f00::1]',
  '[3fff::1]',
]

test('there are enough disguises to mean something', () => {
  expect(new Set(DISGUISES).size).toBeGreaterThanOrEqual(45)
  expect(new Set(elsewhere).size).toBeGreaterThanOrEqual(35)
})

test.each([...new Set([...DISGUISES, ...elsewhere])])(
  '%s is refused to calls and to sockets, and not a byte arrives',
  async (host) => {
    const call = http.fetch(`http://${host}:${canary.port}/`, { method: 'POST', body: 'secret', timeoutMs: 2000 })
    await expect(call).rejects.toMatchObject({ name: 'OutgoingProblem', code: 'address_refused' })
    const overTls = http.fetch(`https://${host}:${canary.port}/`, { timeoutMs: 2000 })
    await expect(overTls).rejects.toMatchObject({ code: 'address_refused' })
    const bare = host.replace(/^\[|\]$/g, '')
    for (const form of new Set([host, bare])) {
      await expect(http.connectSocket({ host: form, port: canary.port, timeoutMs: 2000 })).rejects.toMatchObject({
        code: 'address_refused',
      })
    }
    expect(canary.touched).toEqual([])
  },
)

test.each([
  '',
  ' ',
  'a b',
  '127.0.0.1/',
  '127.0.0.1#',
  'x@127.0.0.1',
  '127.0.0.1:22',
  '127.0.0.1%00',
  '%31%32%37.0.0.1',
  'fe80::1%lo',
  '[::1',
  '999.1.1.1',
  '0x7f.0.0.1.1',
  'a\u0000b',
  '127.0.0.1\r\n',
  '/var/run/docker.sock',
])('%j is no host for a socket', async (host) => {
  await expect(http.connectSocket({ host, port: canary.port, timeoutMs: 2000 })).rejects.toMatchObject({
    name: 'OutgoingProblem',
  })
  expect(canary.touched).toEqual([])
})

test.each([
  'file:///etc/passwd',
  'ftp://127.0.0.1/',
  'gopher://127.0.0.1:70/_x',
  'data:text/plain,x',
  'javascript:1',
  'unix:/var/run/docker.sock',
  'http://',
  '//127.0.0.1/',
  'http://user:password@127.0.0.1/',
  'http://example.com@127.0.0.1/',
  'ws://127.0.0.1/',
  'blob:http://127.0.0.1/x',
  'not a url',
  '',
])('%s is no address to call', async (url) => {
  await expect(http.fetch(url, { timeoutMs: 2000 })).rejects.toMatchObject({
    name: 'OutgoingProblem',
    code: 'url_invalid',
  })
  expect(canary.touched).toEqual([])
})

test('a name that does not exist says so, without telling of the inside', async () => {
  await expect(http.fetch('http://nobody.example.com/')).rejects.toMatchObject({ code: 'unreachable' })
  const refused = await http.fetch('http://loop.example.com/').catch((error: Error) => error.message)
  expect(refused).toContain('loop.example.com')
  expect(refused).not.toContain('127.0.0.1')
})
