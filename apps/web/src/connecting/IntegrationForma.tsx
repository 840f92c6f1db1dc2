import { lazy, Suspense, useMemo, type ReactNode } from 'react'
import { FormaFields } from '../formas/FormaFields.tsx'
import { INPUTS_SECTION } from '../formas/manifest-inputs.ts'
import { SurroundingsProvider, type FormaContext } from '../formas/surroundings.ts'
import type { FormaForm } from '../formas/use-forma.ts'
import { Skeleton } from '../ui/feedback/Skeleton.tsx'

const ManifestField = lazy(() => import('./rest-builder/ManifestField.tsx'))

export function IntegrationForma({
  address,
  form,
  integration,
  isDisabled,
  consent = null,
}: {
  address: FormaContext['address']
  form: FormaForm
  integration: string | null
  isDisabled: boolean
  consent?: ReactNode
}) {
  const { values, setValue } = form
  const surroundings = useMemo<FormaContext>(
    () => ({
      address,
      integration,
      drawOauth: () => consent,
      drawManifest: (part) => (
        <Suspense fallback={<Skeleton height={96} />}>
          <ManifestField
            {...part}
            values={values}
            integration={integration}
            onInput={(reference, value) => setValue(`${INPUTS_SECTION}.${reference}`, value)}
          />
        </Suspense>
      ),
    }),
    [address, integration, consent, values, setValue],
  )
  return (
    <SurroundingsProvider value={surroundings}>
      <FormaFields form={form} isDisabled={isDisabled} />
    </SurroundingsProvider>
  )
}
