import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Stepper } from '../../../ui/feedback/Meters.tsx'
import { RadioGroup } from '../../../ui/forms/Choices.tsx'
import { useRoles } from '../members.queries.ts'
import { ROLES } from '../role-labels.ts'
import styles from './add.module.css'
import { EmailChips } from './EmailChips.tsx'
import { STEPS, type AccessLevel, type WizardValues } from './wizard.ts'
import { WorkspaceRolesStep } from './WorkspaceRolesStep.tsx'

interface Props {
  account: Account
  step: number
  values: WizardValues
  onChange: (part: Partial<WizardValues>) => void
}

export function WizardSteps({ account, step, values, onChange }: Props) {
  const roles = useRoles()
  if (roles.account.isError || roles.workspace.isError) {
    const retry = () => {
      void roles.account.refetch()
      void roles.workspace.refetch()
    }
    return (
      <Banner
        tone="danger"
        action={
          <Button size="sm" onClick={retry}>
            Retry
          </Button>
        }
      >
        Something went wrong, try again!
      </Banner>
    )
  }
  if (!roles.account.data || !roles.workspace.data) {
    return (
      <p role="status" className={styles.none}>
        Loading...
      </p>
    )
  }
  return (
    <>
      <div className={styles.steps}>
        <Stepper steps={values.access === 'account_admin' ? STEPS.slice(0, 2) : STEPS} current={step} />
      </div>
      {step === 0 && <EmailChips emails={values.emails} inputText={values.inputText} onChange={onChange} />}
      {step === 1 && (
        <RadioGroup
          label="Access level"
          value={values.access}
          onChange={(access) => onChange({ access: access as AccessLevel })}
          options={(['account_admin', 'account_view'] as const).map((value) => ({ value, ...ROLES[value] }))}
        />
      )}
      {step === 2 && (
        <WorkspaceRolesStep
          workspaces={account.workspaces}
          roles={roles.workspace.data}
          value={values.roles}
          onChange={(roles) => onChange({ roles })}
        />
      )}
    </>
  )
}
