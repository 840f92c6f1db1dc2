import type { Forma } from '@trellis/contract/formas/forma'
import type { IntegrationDescription, SourcePreview } from '@trellis/contract/integrations/integrations.schemas'
import { Table2 } from 'lucide-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { FormaFields } from '../../../formas/FormaFields.tsx'
import { toSubmittedValues } from '../../../formas/forma-start.ts'
import { SurroundingsProvider } from '../../../formas/surroundings.ts'
import { useForma } from '../../../formas/use-forma.ts'
import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { FormActions } from '../../../ui/forms/Form.tsx'
import { Select } from '../../../ui/forms/Select.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import styles from '../integrations.module.css'
import { usePreview, useSourceFormas } from '../../../connecting/connecting.queries.ts'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { useIntegrationsPlace } from '../use-integrations.ts'

const ROWS = 100

const SampleRows = lazy(() => import('../../../connecting/SampleRows.tsx'))

export default function SampleTab({ about }: { about: IntegrationDescription }) {
  const { address, paths } = useIntegrationsPlace()
  const code = about.integration_trellis_code
  const formas = useSourceFormas(address, code, about.state === 'ACTIVE')
  const [selected, setSelected] = useState(0)
  if (about.state !== 'ACTIVE') {
    return (
      <EmptyState
        icon={<Table2 />}
        title="No sample yet"
        subtitle="Rows can be previewed once the connection works."
        action={<ButtonLink to={paths.update(code)}>Change settings</ButtonLink>}
      />
    )
  }
  return (
    <Loaded query={formas} subject="What can be read" skeletonHeights={[120, 200]}>
      {({ formas: all }) => {
        const forma = all[selected]
        if (!forma) return <p className={styles.soft}>Nothing can be read from this connection.</p>
        return (
          <div className={styles.stack}>
            {all.length > 1 && (
              <Select
                label="What to read"
                value={String(selected)}
                options={all.map((item, index) => ({ value: String(index), label: item.title }))}
                onChange={(event) => setSelected(Number(event.target.value))}
              />
            )}
            <Sample key={forma.forma_trellis_code} code={code} forma={forma} />
          </div>
        )
      }}
    </Loaded>
  )
}

function Sample({ code, forma }: { code: string; forma: Forma }) {
  const { address } = useIntegrationsPlace()
  const form = useForma(forma)
  const preview = usePreview()
  const [rows, setRows] = useState<SourcePreview | null>(null)
  const surroundings = useMemo(() => ({ address, integration: code }), [address, code])
  const read = () =>
    preview.mutate(
      {
        params: { ...address, integration_trellis_code: code },
        body: { values: toSubmittedValues(form.values), rows: ROWS },
      },
      { onSuccess: setRows },
    )
  return (
    <>
      <Card>
        <form
          noValidate
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault()
            if (form.isComplete && !preview.isPending) read()
          }}
        >
          <SurroundingsProvider value={surroundings}>
            <FormaFields form={form} isDisabled={preview.isPending} />
          </SurroundingsProvider>
          <FormActions>
            <Button type="submit" variant="primary" isBusy={preview.isPending} disabled={!form.isComplete}>
              Show rows
            </Button>
            <span className={styles.soft}>At most {ROWS} rows; nothing is saved.</span>
          </FormActions>
        </form>
      </Card>
      {preview.isError && (
        <Banner tone="danger" title="The rows could not be read">
          {preview.error.message}
        </Banner>
      )}
      {rows && (
        <Suspense fallback={<Skeleton height={380} />}>
          <SampleRows preview={rows} />
        </Suspense>
      )}
    </>
  )
}
