import { redirect, redirectDocument } from 'react-router'
import { storeNotice } from './session/handover.ts'
import { initializePath } from './session/next-path.ts'
import { readAccounts, readProfile, readWorkspaces } from './session/stored-data.ts'

type Verdict = { kind: 'pass' } | { kind: 'login'; problem: string } | { kind: 'initialize'; problem: string }

function checkSignedIn(): Verdict {
  const profile = readProfile()
  return profile.ok ? { kind: 'pass' } : { kind: 'login', problem: profile.problem }
}

function checkMember(): Verdict {
  const signedIn = checkSignedIn()
  if (signedIn.kind !== 'pass') return signedIn
  const missing = [readAccounts(), readWorkspaces()].find((stored) => !stored.ok)
  return missing && !missing.ok ? { kind: 'initialize', problem: missing.problem } : { kind: 'pass' }
}

function redirectUnlessPassed(verdict: Verdict, request: Request): null {
  if (verdict.kind === 'pass') return null
  const { pathname, search } = new URL(request.url)
  const next = pathname + search
  storeNotice({ tone: 'error', text: verdict.problem })
  // The sign-in pages are another document: a full navigation is needed.
  if (verdict.kind === 'login') throw redirectDocument(`/login?next=${encodeURIComponent(next)}`)
  throw redirect(initializePath(next))
}

export function requireSignedIn({ request }: { request: Request }): null {
  return redirectUnlessPassed(checkSignedIn(), request)
}

export function requireMember({ request }: { request: Request }): null {
  return redirectUnlessPassed(checkMember(), request)
}
