import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import { useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { readPlanSelectState, type PlanSelectState } from '../../../app/plan-select-state.ts'
import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { ErrorPanel } from '../../../ui/feedback/ErrorPanel.tsx'
import { PageHeader } from '../../../ui/layout/Page.tsx'
import { useCachedAccounts } from '../../accounts/accounts.queries.ts'
import { usePlanLinks, useUsage } from '../billing.queries.ts'
import { storePlanChoice } from './plan-memory.ts'
import { EnterpriseAction } from './EnterpriseAction.tsx'
import { KeepDialog } from './KeepDialog.tsx'
import { toPlanChoice } from './plan-choice.ts'
import { toPlanOffer, PLAN_NAMES } from './plan-offer.ts'
import { PlanCard, PlanPage, PlanPlaceholders, PlanRow } from './PlanCard.tsx'
import styles from './plans.module.css'

export function Component() {
  const state = readPlanSelectState(useLocation().state)
  return state === null ? <Navigate to="/create-account" replace /> : <PlanSelect state={state} />
}

const NOTHING_USED = { users: 0, workspaces: 0, trellis_managed_database_storage_used: 0 }

function PlanSelect({ state }: { state: PlanSelectState }) {
  const isNew = 'temporaryAccount' in state
  const { name } = isNew ? state.temporaryAccount : state.account
  const links = usePlanLinks(state)
  const usage = useUsage(isNew ? '' : state.account.trellis_code, !isNew)
  const failed = links.isError ? links : usage.isError ? usage : null
  const used = isNew ? NOTHING_USED : usage.data
  const account = useCachedAccounts().find(
    (candidate) => !isNew && candidate.trellis_code === state.account.trellis_code,
  )
  const [keeping, setKeeping] = useState<'basic' | 'team' | null>(null)
  return (
    <PlanPage>
      <PageHeader
        title={`Select a plan for account: ${name}`}
        subtitle={
          isNew
            ? 'You can change or cancel it at any time.'
            : 'Everything is still there and opens again once the plan is paid.'
        }
      />
      {failed ? (
        <ErrorPanel
          title="The plans could not be loaded"
          detail={failed.error?.message}
          reference={failed.error?.requestId}
          isRetrying={links.isFetching || usage.isFetching}
          onRetry={() => {
            void links.refetch()
            if (!isNew) void usage.refetch()
          }}
        />
      ) : links.data && used ? (
        <>
          <PlanRow>
            {PLAN_NAMES.map((plan) => {
              const {
                canChoose: fits,
                exceededLimits,
                canFit,
              } = toPlanChoice(plan, { current: null, next: null, usage: used })
              const canChoose = fits && links.data.plans[plan] !== null
              return (
                <PlanCard
                  key={plan}
                  offer={toPlanOffer(plan)}
                  exceededLimits={exceededLimits}
                  wayOut={
                    account &&
                    plan !== 'enterprise' && (
                      <MakeItFit account={account} canFit={canFit} onChoose={() => setKeeping(plan)} />
                    )
                  }
                  action={
                    plan === 'enterprise' ? (
                      <EnterpriseAction href={links.data.plans.enterprise} />
                    ) : (
                      <ButtonLink
                        isWide
                        reloadDocument
                        variant={plan === 'team' ? 'primary' : 'secondary'}
                        to={links.data.plans[plan] ?? ''}
                        aria-label={`Select plan ${toPlanOffer(plan).label}`}
                        aria-disabled={canChoose ? undefined : true}
                        onClick={(event) => (canChoose ? storePlanChoice(state) : event.preventDefault())}
                      >
                        Select plan
                      </ButtonLink>
                    )
                  }
                />
              )
            })}
          </PlanRow>
          <p className={styles.note}>Prices are in US dollars. You pay on the page of our payment provider.</p>
        </>
      ) : (
        <PlanPlaceholders />
      )}
      {keeping && account && usage.data && (
        <KeepDialog account={account} plan={keeping} usage={usage.data} onClose={() => setKeeping(null)} />
      )}
    </PlanPage>
  )
}

/** Workspaces and members can be reduced here; storage cannot. */
function MakeItFit({ account, canFit, onChoose }: { account: Account; canFit: boolean; onChoose: () => void }) {
  return canFit ? (
    <Button size="sm" onClick={onChoose}>
      Choose what to keep…
    </Button>
  ) : (
    <ButtonLink size="sm" to="/deactivated-account" state={{ account: account.trellis_code }}>
      Delete data
    </ButtonLink>
  )
}
