import type { AgentRequest } from '@trellis/contract/tokens/agents.endpoints'
import { Bot } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { getErrorDetail } from '../../api/api-error.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { Loading, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { Card } from '../../ui/layout/Card.tsx'
import styles from './tokens.module.css'
import { useAgentRequest, useDecideAgentRequest } from './tokens.queries.ts'

/** Null when the parameters are not valid for OAuth 2.1. */
function readRequest(search: URLSearchParams) {
  const get = (name: string) => search.get(name) ?? ''
  const isCode = get('response_type') === 'code' && get('code_challenge_method') === 'S256'
  const requestedClient = { client_id: get('client_id'), redirect_uri: get('redirect_uri'), resource: get('resource') }
  if (!isCode || Object.values(requestedClient).includes('') || get('code_challenge') === '') return null
  const [scope, state] = [search.get('scope'), search.get('state')]
  return {
    asked: { ...requestedClient, ...(scope !== null && { scope }) },
    challenge: { code_challenge: get('code_challenge'), ...(state !== null && { state }) },
  }
}

export function Component() {
  const [search] = useSearchParams()
  const request = readRequest(search)
  if (!request) {
    return (
      <EmptyState
        icon={<Bot aria-hidden />}
        title="This request can not be read"
        subtitle="The program that sent you here left out something that is needed. Start connecting again there."
      />
    )
  }
  return <Request {...request} />
}

function Request({ asked, challenge }: NonNullable<ReturnType<typeof readRequest>>) {
  const request = useAgentRequest(asked)
  const decide = useDecideAgentRequest()
  const sendDecision = (decision: 'allow' | 'deny') =>
    decide.mutate(
      { body: { ...asked, ...challenge, decision } },
      { onSuccess: ({ redirect_to }) => window.location.assign(redirect_to) },
    )
  if (request.isPending) {
    return (
      <Loading label="Loading the request" className={styles.ghosts}>
        <Skeleton width="50%" />
        <Skeleton width="36%" />
      </Loading>
    )
  }
  if (request.isError) {
    return (
      <EmptyState
        icon={<Bot aria-hidden />}
        title="Access cannot be granted"
        subtitle={getErrorDetail(request.error)}
      />
    )
  }
  const { client_name, workspace_name } = request.data
  return (
    <div className={styles.authorize}>
      <Card title={`Allow ${client_name} to use ${workspace_name}?`}>
        <RequestFacts request={request.data} />
        {decide.error && <Banner tone="danger">{getErrorDetail(decide.error)}</Banner>}
        <div className={styles.decisions}>
          <Button isBusy={decide.isPending} onClick={() => sendDecision('deny')}>
            Cancel
          </Button>
          <Button variant="primary" isBusy={decide.isPending} onClick={() => sendDecision('allow')}>
            Allow access
          </Button>
        </div>
      </Card>
    </div>
  )
}

function RequestFacts({ request }: { request: AgentRequest }) {
  const { client_name, account_name, workspace_name, scopes, redirect_place, days } = request
  return (
    <>
      <p>
        {client_name} is the name the program gave itself. Only continue if you have just started connecting it. You are
        sent back to <strong>{redirect_place}</strong>.
      </p>
      <ul aria-label="What it may do" className={styles.facts}>
        <li>
          Read tables, worksheets and dataflows of the workspace {workspace_name} ({account_name}), and run queries that
          change nothing
        </li>
        {scopes.includes('write') && <li>Start runs of dataflows</li>}
        <li>Never more than your own role allows, and in no other workspace</li>
        <li>For {days} days, or until you revoke it under Profile, Tokens</li>
      </ul>
    </>
  )
}
