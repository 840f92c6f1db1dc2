import { listAccounts } from '@trellis/contract/accounts/accounts.endpoints'
import { getProfile } from '@trellis/contract/profile/profile.endpoints'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { ApiError } from '../../api/api-error.ts'
import { apiQuery } from '../../api/api-query.ts'
import { findToken } from '../../api/token-store.ts'
import { ErrorPage } from '../../app/errors/ErrorPage.tsx'
import { parseNextPath } from '../../app/session/next-path.ts'
import { logout } from '../../app/session/session.ts'
import { readProfile, storeAccounts, storeProfile } from '../../app/session/stored-data.ts'
import { useVisitorTheme } from '../../app/theme/use-theme.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { TrellisMark } from '../../ui/brand/TrellisMark.tsx'
import styles from './initialize.module.css'

export function Component() {
  useVisitorTheme()
  // A stored profile without a token may still be renewed by the refresh cookie; the login page would redirect back
  // here.
  const canTry = findToken() !== null || readProfile().ok
  const client = useQueryClient()
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const next = parseNextPath(params.get('next'), location.origin) ?? '/workspaces'

  const { error, refetch } = useQuery({
    queryKey: ['initialize-profile'],
    enabled: canTry,
    gcTime: 0,
    queryFn: async () => {
      const fresh = { staleTime: 0 }
      const [profile, accounts] = await Promise.all([
        client.fetchQuery({ ...apiQuery(getProfile, {}), ...fresh }),
        client.fetchQuery({ ...apiQuery(listAccounts, {}), ...fresh }),
      ])
      storeProfile(profile)
      storeAccounts(accounts)
      void navigate(next, { replace: true })
      return true
    },
  })
  useEffect(() => {
    if (!canTry) location.replace(`/login?next=${encodeURIComponent(next)}`)
  }, [canTry, next])

  if (error) {
    const { detail, requestId } = error instanceof ApiError ? error : {}
    return (
      <ErrorPage detail={detail} reference={requestId} onRetry={() => void refetch()}>
        <Button onClick={() => void logout()}>Logout</Button>
      </ErrorPage>
    )
  }
  return (
    <div className={styles.page} role="status">
      <TrellisMark size={36} className={styles.mark} />
      <span>Getting your workspaces ready…</span>
    </div>
  )
}
