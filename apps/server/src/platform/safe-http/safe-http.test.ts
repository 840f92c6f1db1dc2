import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createAddressGuard } from './address-guard.ts'
import { createSafeHttp } from './safe-http.ts'
import { type Canary, readBody, closeServers, startCanary, startTcp, startWeb } from './testing/local-servers.ts'

let canary: Canary
let first: string
let second: string
let endless = 0
const seen: { at: string; method: string; url: string; headers: Record<string, unknown>; body: string }[] = []
/** 127.0.0.2 and .3 stand for allowed hosts, 127.0.0.1 for the internal network (Linux only). */
const allowList = ['127.0.0.2', '127.0.0.3/32']
const http = createSafeHttp({ allowPrivateHosts: false, allowList })

beforeAll(async () => {
  canary = await startCanary(['127.0.0.1'])
  const web = async (at: string) =>
    await startWeb(at, async (request, response) => {
      const url = new URL(request.url ?? '', 'http://x')
      seen.push({
        at,
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: await readBody(request),
      })
      const to = url.searchParams.get('to')
      if (to) return response.writeHead(Number(url.searchParams.get('status') ?? 302), { location: to }).end('moved')
      if (url.pathname === '/loop') return response.writeHead(302, { location: '/loop' }).end()
      if (url.pathname === '/slow') return response.writeHead(200).write('a')
      if (url.pathname === '/empty') return response.writeHead(204).end()
      if (url.pathname === '/large') return response.writeHead(200, { 'content-length': '5000' }).end('x'.repeat(5000))
      if (url.pathname === '/endless') {
        endless += 1
        const timer = setInterval(() => response.write('x'.repeat(1000)), 1)
        return response.on('close', () => {
          endless -= 1
          clearInterval(timer)
        })
      }
      return response.writeHead(200, { 'content-type': 'application/json', 'x-at': at }).end('{"ok":true}')
    })
  first = await web('127.0.0.2')
  second = await web('127.0.0.3')
})
afterAll(async () => {
  await http.close()
  await closeServers()
})

const goTo = (to: string, status = 302) => `${first}/?status=${status}&to=${encodeURIComponent(to)}`

describe('answers of any length', () => {
  test('go on beyond the time for the first byte', async () => {
    const timeoutMs = 2000
    const response = await http.fetch(`${first}/endless`, { timeoutMs, idleMs: 20_000, maxBytes: 10_000_000 })
    await sleep(timeoutMs + 100)
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    let bytes = 0
    for (let read = 0; read < 200; read += 1) bytes += (await reader.read()).value?.length ?? 0
    expect(bytes).toBeGreaterThan(100_000)
    await reader.cancel()
  })

  test('end when they stand still', async () => {
    const response = await http.fetch(`${first}/slow`, { timeoutMs: 20_000, idleMs: 40 })
    await expect(response.text()).rejects.toMatchObject({ name: 'OutgoingProblem', code: 'timed_out' })
  })
})

describe('calls', () => {
  test('an allowed host is called and its answer is a plain Response', async () => {
    const response = await http.fetch(`${first}/hello`, { headers: { 'x-key': 'k' } })
    expect(response.status).toBe(200)
    expect(response.url).toBe(`${first}/hello`)
    expect(response.headers.get('x-at')).toBe('127.0.0.2')
    expect(await response.json()).toEqual({ ok: true })
    expect(seen.at(-1)?.headers).toMatchObject({
      'x-key': 'k',
      'accept-encoding': 'identity',
      host: new URL(first).host,
    })
  })

  test('a body and a method arrive; an answer without a body is one', async () => {
    const response = await http.fetch(`${first}/empty`, { method: 'put', body: 'Zoë' })
    expect(response.status).toBe(204)
    expect(await response.text()).toBe('')
    expect(seen.at(-1)).toMatchObject({ method: 'PUT', body: 'Zoë' })
  })

  test('an answer beyond the limit is cut off, whether it says its size or not', async () => {
    await expect(http.fetch(`${first}/large`, { maxBytes: 4999 })).rejects.toMatchObject({ code: 'too_large' })
    expect((await (await http.fetch(`${first}/large`, { maxBytes: 5000 })).text()).length).toBe(5000)
    const endless = await http.fetch(`${first}/endless`, { maxBytes: 20_000 })
    await expect(endless.text()).rejects.toMatchObject({ code: 'too_large' })
  })

  test('the time limit holds for the answer and for its body', async () => {
    const slow = await http.fetch(`${first}/slow`, { timeoutMs: 1500 })
    await expect(slow.text()).rejects.toThrow()
    const controller = new AbortController()
    const stopped = http
      .fetch(`${first}/slow`, { signal: controller.signal })
      .then(async (response) => await response.text())
    controller.abort()
    await expect(stopped).rejects.toThrow()
  })

  test('an answer nobody reads does no harm when its time is up', async () => {
    const timeoutMs = 1500
    const unread = await http.fetch(`${first}/slow`, { timeoutMs })
    expect(unread.status).toBe(200)
    await sleep(timeoutMs + 100)
    const dropped = await http.fetch(`${first}/endless`)
    await dropped.body?.cancel()
    await vi.waitFor(() => expect(endless).toBe(0), { timeout: 30_000 })
    expect((await http.fetch(`${first}/after`)).status).toBe(200)
  })

  test('a host that does not listen is unreachable', async () => {
    await expect(http.fetch('http://127.0.0.2:1/')).rejects.toMatchObject({ code: 'unreachable' })
    await expect(http.connectSocket({ host: '127.0.0.2', port: 1 })).rejects.toMatchObject({ code: 'unreachable' })
  })

  test('a forged Host header is not sent', async () => {
    await http.fetch(`${first}/`, { headers: { host: 'inside.example' } })
    expect(seen.at(-1)?.headers['host']).toBe(new URL(first).host)
  })

  test('over TLS the name asked for is the name, although the connection goes to the checked address', async () => {
    let hello = ''
    const port = await startTcp('127.0.0.2', (chunk) => (hello += chunk.toString('latin1')))
    const namedSafeHttp = createSafeHttp({ allowPrivateHosts: false, allowList, resolver: async () => ['127.0.0.2'] })
    await expect(namedSafeHttp.fetch(`https://shop.example.com:${port}/`)).rejects.toMatchObject({
      code: 'unreachable',
    })
    expect(hello).toContain('shop.example.com')
    await namedSafeHttp.close()
  })
})

describe('redirects', () => {
  test.each([
    'http://127.0.0.1:PORT/',
    'http://localhost:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://2130706433:PORT/',
    '//127.0.0.1:PORT/',
    'http://0:PORT/',
  ])('to %s are refused', async (target) => {
    const to = target.replace('PORT', String(canary.port))
    for (const status of [301, 302, 303, 307, 308]) {
      await expect(http.fetch(goTo(to, status))).rejects.toMatchObject({ code: 'address_refused' })
      await expect(http.fetch(goTo(goTo(to), status))).rejects.toMatchObject({ code: 'address_refused' })
    }
    expect(canary.touched).toEqual([])
  })

  test.each(['http://169.254.169.254/latest/meta-data/', 'http://metadata:80/'])(
    'to a cloud’s credentials are refused: %s',
    async (to) => {
      await expect(http.fetch(goTo(to))).rejects.toMatchObject({ name: 'OutgoingProblem' })
    },
  )

  test.each(['file:///etc/passwd', 'ftp://127.0.0.2/', 'data:text/html,x', 'http://user:pw@127.0.0.2/', 'http://'])(
    'to %s are refused',
    async (to) => {
      await expect(http.fetch(goTo(to))).rejects.toMatchObject({ code: 'url_invalid' })
    },
  )

  test('five are followed, a sixth is not, and with none the redirect is the answer', async () => {
    let url = `${first}/end`
    for (let count = 0; count < 5; count += 1) url = goTo(url)
    expect((await http.fetch(url)).status).toBe(200)
    await expect(http.fetch(goTo(url))).rejects.toMatchObject({ code: 'redirect_refused' })
    await expect(http.fetch(`${first}/loop`, { redirects: 99 })).rejects.toMatchObject({ code: 'redirect_refused' })
    expect((await http.fetch(`${first}/loop`, { redirects: 0 })).status).toBe(302)
  })

  test('keys of any name stay with the site they were meant for', async () => {
    const headers = {
      authorization: 'Bearer canary',
      cookie: 'a=canary',
      'x-api-key': 'canary',
      accept: 'application/json',
    }
    await http.fetch(goTo(`${first}/same`), { headers })
    expect(seen.at(-1)).toMatchObject({
      at: '127.0.0.2',
      headers: { authorization: 'Bearer canary', 'x-api-key': 'canary' },
    })
    await http.fetch(goTo(`${second}/other`), { headers })
    expect(seen.at(-1)).toMatchObject({ at: '127.0.0.3', headers: { accept: 'application/json' } })
    expect(JSON.stringify(seen.at(-1)?.headers)).not.toContain('canary')
    await http.fetch(goTo(`${second}/?to=${encodeURIComponent(`${first}/back`)}`), { headers })
    expect(seen.at(-1)).toMatchObject({ at: '127.0.0.2', url: '/back' })
    expect(JSON.stringify(seen.at(-1)?.headers)).not.toContain('canary')
  })

  test('a body is never sent on to another site, and a POST turns into a GET as in a browser', async () => {
    await http.fetch(goTo(`${second}/got`, 302), {
      method: 'POST',
      body: 'canary',
      headers: { 'content-type': 'text/plain' },
    })
    expect(seen.at(-1)).toMatchObject({ at: '127.0.0.3', method: 'GET', body: '' })
    await http.fetch(goTo(`${first}/kept`, 307), { method: 'POST', body: 'kept' })
    expect(seen.at(-1)).toMatchObject({ at: '127.0.0.2', method: 'POST', body: 'kept' })
    const sentOn = http.fetch(goTo(`${second}/never`, 307), { method: 'POST', body: 'canary' })
    await expect(sentOn).rejects.toMatchObject({ code: 'redirect_refused' })
    expect(seen.some(({ url }) => url === '/never')).toBe(false)
  })
})

describe('a nameserver that changes its mind', () => {
  test('is asked once for a connection, which goes to the answer that was checked', async () => {
    let asked = 0
    const rebinding = createSafeHttp({
      allowPrivateHosts: false,
      allowList,
      resolver: async () => {
        asked += 1
        return asked === 1 ? ['127.0.0.2'] : ['127.0.0.1']
      },
    })
    const { port } = new URL(first)
    const response = await rebinding.fetch(`http://rebind.example.com:${port}/once`)
    expect(response.headers.get('x-at')).toBe('127.0.0.2')
    await response.text()
    expect(asked).toBe(1)
    const next = rebinding.connectSocket({ host: 'rebind.example.com', port: canary.port })
    await expect(next).rejects.toMatchObject({ code: 'address_refused' })
    expect(asked).toBe(2)
    expect(canary.touched).toEqual([])
    await rebinding.close()
  })

  test('one inside answer among many spoils them all, in any place', async () => {
    for (const answers of [
      ['127.0.0.2', '127.0.0.1'],
      ['127.0.0.1', '127.0.0.2'],
      ['127.0.0.2', '::1', '127.0.0.3'],
    ]) {
      const mixed = createSafeHttp({ allowPrivateHosts: false, allowList, resolver: async () => answers })
      await expect(mixed.fetch(`http://mixed.example.com:${canary.port}/`)).rejects.toMatchObject({
        code: 'address_refused',
      })
      await mixed.close()
    }
    expect(canary.touched).toEqual([])
  })

  test('the next address is tried when the first does not answer', async () => {
    const two = createSafeHttp({
      allowPrivateHosts: false,
      allowList,
      resolver: async () => ['127.0.0.3', '127.0.0.2'],
    })
    const response = await two.fetch(`http://two.example.com:${new URL(first).port}/`)
    expect(response.headers.get('x-at')).toBe('127.0.0.2')
    await two.close()
  })
})

describe('rules', () => {
  test('a socket to an allowed host carries bytes', async () => {
    let got = ''
    const port = await startTcp('127.0.0.2', (chunk) => (got += chunk.toString()))
    const socket = await http.connectSocket({ host: '127.0.0.2', port })
    await new Promise((resolve) => socket.on('error', resolve).on('close', resolve).write('hello'))
    expect(got).toBe('hello')
  })

  test.each([
    ['127.0.0.1', true],
    ['10.1.2.3', true],
    ['192.168.1.1', true],
    ['172.20.0.1', true],
    ['100.64.0.9', true],
    ['::1', true],
    ['fd12::1', true],
    ['::ffff:10.0.0.1', true],
    ['8.8.8.8', true],
    ['2606:4700::1111', true],
    ['169.254.169.254', false],
    ['::ffff:169.254.169.254', false],
    ['fd00:ec2::254', false],
    ['100.100.100.200', false],
    ['168.63.129.16', false],
    ['fe80::1', false],
    ['0.0.0.0', false],
    ['255.255.255.255', false],
    ['224.0.0.1', false],
    ['64:ff9b::7f00:1', false],
    ['2002:7f00:1::', false],
  ])('with private hosts allowed, %s → %s', (address, expected) => {
    expect(createAddressGuard({ allowPrivateHosts: true, allowList: [] }).isAllowed(address, false)).toBe(expected)
  })

  test('blocks, addresses and names in the allow list open just what they say', () => {
    const guard = createAddressGuard({
      allowPrivateHosts: false,
      allowList: ['10.1.0.0/16', 'fd12:3456::/32', '169.254.169.254', 'DB.internal'],
    })
    expect(['10.1.255.1', 'fd12:3456::9', '169.254.169.254'].every((address) => guard.isAllowed(address, false))).toBe(
      true,
    )
    expect(
      ['10.2.0.1', 'fd12:3457::1', '169.254.169.253', '127.0.0.1'].some((address) => guard.isAllowed(address, false)),
    ).toBe(false)
    expect([guard.isNamed('db.internal'), guard.isNamed('db.internal.'), guard.isNamed('x.db.internal')]).toEqual([
      true,
      true,
      false,
    ])
    expect(guard.isAllowed('10.9.9.9', true)).toBe(true)
    expect(guard.isAllowed('168.63.129.16', true)).toBe(false)
  })

  test('a listed name opens the inside address it has', async () => {
    const namedSafeHttp = createSafeHttp({
      allowPrivateHosts: false,
      allowList: ['db.internal'],
      resolver: async () => ['127.0.0.2'],
    })
    expect((await namedSafeHttp.fetch(`http://db.internal:${new URL(first).port}/`)).status).toBe(200)
    await expect(namedSafeHttp.fetch(`http://other.internal:${new URL(first).port}/`)).rejects.toMatchObject({
      code: 'address_refused',
    })
    await namedSafeHttp.close()
  })

  test.each(['10.0.0.0/33', '*', 'http://x', '127.1', 'a b', '10.0.0.256', '0x7f'])(
    '"%s" in the allow list stops the start',
    (entry) => {
      expect(() => createSafeHttp({ allowPrivateHosts: false, allowList: [entry] })).toThrow(/TRELLIS_ALLOWED_HOSTS/)
    },
  )
})
