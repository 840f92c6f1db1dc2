import { openControlDb } from '@trellis/control-db/database'
import { createProfile } from '../apps/server/src/modules/identity/identity.service.ts'

const email = 'bench@trellis.local'
const password = 'B3nch!pass'

interface TokenAnswer {
  data: { access_token: string; refresh_token: string }
}

export async function signInForBench(url: string, databaseUrl: string) {
  const control = openControlDb({ url: databaseUrl, max: 2 })
  await createProfile(control, { email, firstName: 'Bench', surname: 'Profile', password })
  await control.close()
  const post = async (path: string, body: object, headers: Record<string, string>) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status}`)
    return ((await response.json()) as TokenAnswer).data
  }
  let { access_token: token, refresh_token: secret } = await post(
    '/auth/login',
    { email, password },
    { 'trellis-refresh': 'body' },
  )
  const [, payload = ''] = token.split('.')
  const { sid } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sid: string }
  return {
    token,
    sessionId: sid,
    refresh: async () => {
      const fresh = await post('/auth/token/refresh', { email }, { authorization: `Refresh ${secret}` })
      secret = fresh.refresh_token
      token = fresh.access_token
      return token
    },
  }
}
