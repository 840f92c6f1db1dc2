import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import { useState } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Stepper } from '../../../ui/feedback/Meters.tsx'
import { showToast } from '../../../ui/feedback/toasts.ts'
import { RadioGroup } from '../../../ui/forms/Choices.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { useInviteMembers, useRoles } from '../members.queries.ts'
import { roleIdOf, ROLES } from '../role-labels.ts'
import styles from './add.module.css'
import { EmailChips } from './EmailChips.tsx'
import { InviteResultsView } from './InviteResults.tsx'
import {
  canGoOn,
  EMPTY,
  failedEmails,
  isLastStep,
  requestsOf,
  STEPS,
  type AccessLevel,
  type InviteResults,
  type WizardValues,
} from './wizard.ts'
import { WorkspaceRolesStep } from './WorkspaceRolesStep.tsx'

const FAILED = 'Something went wrong, try again!'

export function AddMembersDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const roles = useRoles()
  const [values, setValues] = useState<WizardValues>(EMPTY)
  const [step, setStep] = useState(0)
  const [results, setResults] = useState<InviteResults>()
  const invite = useInviteMembers()
  const change = (part: Partial<WizardValues>) => setValues((old) => ({ ...old, ...part }))
  const accountRoles = roles.account.data
  const workspaceRoles = roles.workspace.data
  const isSending = invite.isPending
  const isShowingResults = results !== undefined || isSending

  const send = async (emails: readonly string[]) => {
    if (!accountRoles || values.access === '') return
    const body = requestsOf({ ...values, emails }, roleIdOf(accountRoles, values.access))
    const answer = await invite
      .mutateAsync({ params: { account_trellis_code: account.trellis_code }, body })
      .catch(() => null)
    if (!answer) return
    const all = { ...results, ...answer }
    setResults(all)
    if (failedEmails(all).length === 0)
      showToast({ tone: 'success', text: 'Members successfully added. Confirmation emails sent.' })
  }
  const next = () => {
    if (isLastStep(step, values.access)) void send(values.emails)
    else setStep(step + 1)
  }
  const failed = results ? failedEmails(results) : []
  return (
    <Dialog
      title="Add members"
      size="md"
      isLocked={isSending}
      onClose={onClose}
      footer={
        isShowingResults ? (
          <>
            {failed.length > 0 && (
              <Button variant="primary" isBusy={isSending} onClick={() => void send(failed)}>
                {`Resend ${failed.length} ${failed.length === 1 ? 'invite' : 'invites'}`}
              </Button>
            )}
            <Button disabled={isSending} onClick={onClose}>
              Close
            </Button>
          </>
        ) : (
          <>
            {step > 0 && <Button onClick={() => setStep(step - 1)}>Back</Button>}
            <Button
              variant="primary"
              disabled={!canGoOn(step, values) || !accountRoles || !workspaceRoles}
              onClick={next}
            >
              {isLastStep(step, values.access) ? 'Add members' : 'Next'}
            </Button>
          </>
        )
      }
    >
      {isShowingResults ? (
        <InviteResultsView results={results} />
      ) : roles.account.isError || roles.workspace.isError ? (
        <Banner
          tone="danger"
          action={
            <Button
              size="sm"
              onClick={() => {
                void roles.account.refetch()
                void roles.workspace.refetch()
              }}
            >
              Retry
            </Button>
          }
        >
          {FAILED}
        </Banner>
      ) : !accountRoles || !workspaceRoles ? (
        <p role="status" className={styles.none}>
          Loading...
        </p>
      ) : (
        <>
          <div className={styles.steps}>
            <Stepper steps={values.access === 'account_admin' ? STEPS.slice(0, 2) : STEPS} current={step} />
          </div>
          {step === 0 && <EmailChips emails={values.emails} onChange={(emails) => change({ emails })} />}
          {step === 1 && (
            <RadioGroup
              label="Access level"
              value={values.access}
              onChange={(access) => change({ access: access as AccessLevel })}
              options={(['account_admin', 'account_view'] as const).map((value) => ({ value, ...ROLES[value] }))}
            />
          )}
          {step === 2 && (
            <WorkspaceRolesStep
              workspaces={account.workspaces}
              roles={workspaceRoles}
              value={values.roles}
              onChange={(given) => change({ roles: given })}
            />
          )}
        </>
      )}
      {invite.isError && <Banner tone="danger">{FAILED}</Banner>}
    </Dialog>
  )
}
