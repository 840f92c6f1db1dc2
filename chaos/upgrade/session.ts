const EMAIL = 'bench@trellis.local'
const PASSWORD = 'B3nch!pass'

export interface Session {
  token(): string
  /** How a refresh by the server at this address was answered. */
  refresh(url: string): Promise<number>
}

export async function signIn(url: string): Promise<Session> {
  const current = { token: '', secret: '' }
  const post = async (to: string, body: object, headers: Record<string, string>) => {
    const answer = await fetch(to, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const { data } = (await answer.json()) as { data?: { access_token: string; refresh_token: string } }
    if (answer.ok && data) Object.assign(current, { token: data.access_token, secret: data.refresh_token })
    return answer.status
  }
  const status = await post(`${url}/auth/login`, { email: EMAIL, password: PASSWORD }, { 'trellis-refresh': 'body' })
  if (status !== 200) throw new Error(`The sign-in was answered with ${status}.`)
  return {
    token: () => current.token,
    refresh: (at) => post(`${at}/auth/token/refresh`, { email: EMAIL }, { authorization: `Refresh ${current.secret}` }),
  }
}
