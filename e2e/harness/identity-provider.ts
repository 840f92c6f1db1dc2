import { createServer } from 'node:http'
import Provider from 'oidc-provider'

const CLIENT = { client_id: 'trellis', client_secret: 'for-tests-only' }

/** Suppresses the library's warnings for production. */
function withoutAdvice(): void {
  for (const level of ['info', 'warn'] as const) {
    const say = console[level]
    console[level] = (...words: unknown[]) => {
      if (!String(words[0]).includes('oidc-provider ')) say(...words)
    }
  }
}

export async function startIdentityProvider(port: number, redirectUri: string) {
  const url = `http://127.0.0.1:${port}`
  withoutAdvice()
  const provider = new Provider(url, {
    clients: [{ ...CLIENT, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
    conformIdTokenClaims: false,
    findAccount: (_ctx, id) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        email: `${id}@acme.example`,
        email_verified: true,
        given_name: 'Grace',
        family_name: 'Hopper',
      }),
    }),
    pkce: { required: () => true },
    cookies: { keys: ['for-tests-only'] },
  })
  const answer = provider.callback()
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url,
    clientId: CLIENT.client_id,
    clientSecret: CLIENT.client_secret,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
