import type { AccessToken } from '@trellis/contract/tokens/tokens.endpoints'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/actions/Button.tsx'
import { DateTime } from '../../ui/data/DateTime.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ErrorPanel } from '../../ui/feedback/ErrorPanel.tsx'
import { Loading, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { Badge } from '../../ui/feedback/Status.tsx'
import { Card } from '../../ui/layout/Card.tsx'
import { ConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx'
import { AssistantSetup } from './AssistantSetup.tsx'
import { CreateTokenDialog } from './CreateTokenDialog.tsx'
import { formatScopes, getExpiryState } from './token-choices.ts'
import styles from './tokens.module.css'
import { useRevokeToken, useTokens } from './tokens.queries.ts'

export function Component() {
  const tokens = useTokens()
  const [isCreating, setCreating] = useState(false)
  const createButton = (
    <Button variant="primary" icon={<Plus aria-hidden />} onClick={() => setCreating(true)}>
      Create token
    </Button>
  )
  return (
    <>
      {tokens.isError ? (
        <ErrorPanel
          title="Your tokens could not be loaded"
          detail={tokens.error.message}
          reference={tokens.error.requestId}
          isRetrying={tokens.isFetching}
          onRetry={() => void tokens.refetch()}
        />
      ) : tokens.data?.length === 0 ? (
        <EmptyState
          icon={<KeyRound />}
          title="No tokens"
          subtitle="With a token a program of yours calls the API in your name, and never with more rights than you give it."
          action={createButton}
        />
      ) : (
        <Card
          isFlush
          title="Personal access tokens"
          subtitle="For programs that call the API in your name."
          actions={createButton}
        >
          {tokens.isPending ? (
            <Loading label="Loading your tokens" className={styles.ghosts}>
              <Skeleton width="50%" />
              <Skeleton width="36%" />
            </Loading>
          ) : (
            <ul className={styles.tokens}>
              {tokens.data.map((token) => (
                <TokenRow key={token.id} token={token} />
              ))}
            </ul>
          )}
        </Card>
      )}
      <div className={styles.setup}>
        <Card
          title="Connect an AI assistant"
          subtitle="With a token, assistants that speak the Model Context Protocol read tables, worksheets and dataflows of a workspace and run guarded queries."
        >
          <AssistantSetup />
        </Card>
      </div>
      {isCreating && <CreateTokenDialog onClose={() => setCreating(false)} />}
    </>
  )
}

function TokenRow({ token }: { token: AccessToken }) {
  const revoke = useRevokeToken()
  const [isAsking, setAsking] = useState(false)
  const status = getExpiryState(token, new Date())
  return (
    <li>
      <span className={styles.icon}>
        <KeyRound aria-hidden />
      </span>
      <span className={styles.text}>
        <span className={styles.name}>
          {token.name}
          <code>{token.prefix}…</code>
          {token.resource !== null && <Badge>Agent</Badge>}
          {status === 'over' && <Badge tone="danger">Expired</Badge>}
          {status === 'soon' && <Badge tone="warning">Expires soon</Badge>}
        </span>
        <span className={styles.note}>
          {formatScopes(token.scopes)} ·{' '}
          {token.last_used_at === null ? (
            'never used'
          ) : (
            <>
              last used <DateTime value={token.last_used_at} format="recent" />
            </>
          )}{' '}
          ·{' '}
          {token.expires_at === null ? (
            'no expiry'
          ) : (
            <>
              {status === 'over' ? 'expired' : 'expires'} <DateTime value={token.expires_at} />
            </>
          )}
        </span>
      </span>
      <Button size="sm" aria-label={`Revoke ${token.name}`} onClick={() => setAsking(true)}>
        Revoke…
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={`Revoke ${token.name}?`}
          confirmLabel="Revoke"
          isBusy={revoke.isPending}
          error={revoke.error?.message}
          onConfirm={() => revoke.mutate({ params: { token_id: token.id } })}
          onClose={() => setAsking(false)}
        >
          Programs that use it are refused from their next call on. This can not be undone.
        </ConfirmDialog>
      )}
    </li>
  )
}
