import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import { useState } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { showToast } from '../../../ui/feedback/toasts.ts'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { useInviteMembers, useRoles } from '../members.queries.ts'
import { getRoleId } from '../role-labels.ts'
import { InviteResultsView } from './InviteResults.tsx'
import {
  canGoOn,
  EMPTY,
  failedEmails,
  isLastStep,
  toRequests,
  addTypedEmail,
  type InviteResults,
  type WizardValues,
} from './wizard.ts'
import { WizardSteps } from './WizardSteps.tsx'

export function AddMembersDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const roles = useRoles()
  const [values, setValues] = useState<WizardValues>(EMPTY)
  const [step, setStep] = useState(0)
  const [results, setResults] = useState<InviteResults>()
  const invite = useInviteMembers()
  const isSending = invite.isPending
  const isLast = isLastStep(step, values.access)

  const send = async (emails: readonly string[]) => {
    if (!roles.account.data || values.access === '') return
    const body = toRequests({ ...values, emails }, getRoleId(roles.account.data, values.access))
    const inviteResult = await invite
      .mutateAsync({ params: { account_trellis_code: account.trellis_code }, body })
      .catch(() => null)
    if (!inviteResult) return
    const all = { ...results, ...inviteResult }
    setResults(all)
    if (failedEmails(all).length === 0)
      showToast({ tone: 'success', text: 'Members successfully added. Confirmation emails sent.' })
  }
  const goOn = () => {
    const takenWizardValues = addTypedEmail(values)
    setValues(takenWizardValues)
    if (!canGoOn(step, takenWizardValues)) return
    if (isLast) void send(takenWizardValues.emails)
    else setStep(step + 1)
  }
  const isShowingResults = results !== undefined || isSending
  return (
    <Dialog
      title="Add members"
      size="md"
      isLocked={isSending}
      onClose={onClose}
      footer={
        isShowingResults ? (
          <ResultActions results={results} isSending={isSending} onResend={send} onClose={onClose} />
        ) : (
          <>
            {step > 0 && <Button onClick={() => setStep(step - 1)}>Back</Button>}
            <Button
              variant="primary"
              disabled={
                (!canGoOn(step, values) && values.inputText.trim() === '') ||
                !roles.account.data ||
                !roles.workspace.data
              }
              onClick={goOn}
            >
              {isLast ? 'Add members' : 'Next'}
            </Button>
          </>
        )
      }
    >
      {isShowingResults ? (
        <InviteResultsView results={results} />
      ) : (
        <WizardSteps
          account={account}
          step={step}
          values={values}
          onChange={(part) => setValues((oldWizardValues) => ({ ...oldWizardValues, ...part }))}
        />
      )}
      {invite.isError && <Banner tone="danger">Something went wrong, try again!</Banner>}
    </Dialog>
  )
}

function ResultActions({
  results = {},
  isSending,
  onResend,
  onClose,
}: {
  results: InviteResults | undefined
  isSending: boolean
  onResend: (emails: readonly string[]) => Promise<void>
  onClose: () => void
}) {
  const failed = failedEmails(results)
  return (
    <>
      {failed.length > 0 && (
        <Button variant="primary" isBusy={isSending} onClick={() => void onResend(failed)}>
          {`Resend ${failed.length} ${failed.length === 1 ? 'invite' : 'invites'}`}
        </Button>
      )}
      <Button disabled={isSending} onClick={onClose}>
        Close
      </Button>
    </>
  )
}
