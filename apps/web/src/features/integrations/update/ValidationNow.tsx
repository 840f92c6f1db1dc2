import { useEffect, useRef } from 'react'
import { ButtonLink } from '../../../ui/actions/Button.tsx'
import { useCheckAgain, useValidation } from '../../../connecting/connecting.queries.ts'
import { useIntegrationsPlace } from '../use-integrations.ts'
import { ValidationPanel } from '../../../connecting/ValidationPanel.tsx'

/** Reports the failing field once per connection test. */
export function ValidationNow({
  code,
  onProblem,
  onShowField,
}: {
  code: string
  onProblem?: (field: string, message: string) => void
  onShowField?: (field: string) => void
}) {
  const { address, paths, canWrite } = useIntegrationsPlace()
  const validation = useValidation(address, code)
  const check = useCheckAgain()
  const told = useRef<string | null>(null)
  const status = validation.data
  useEffect(() => {
    if (!status?.problem?.field || status.finished_at === told.current) return
    told.current = status.finished_at
    onProblem?.(status.problem.field, status.problem.message)
  })
  if (!status) return null
  return (
    <ValidationPanel
      status={status}
      isChecking={check.isPending}
      onCheck={canWrite ? () => check.mutate({ params: { ...address, integration_trellis_code: code } }) : undefined}
      onShowField={onShowField}
      next={
        canWrite && (
          <ButtonLink size="sm" to={paths.description(code, 'sample')}>
            Look at a sample
          </ButtonLink>
        )
      }
    />
  )
}
