import type { RestTrialResult } from '@trellis/contract/integrations/integrations.schemas'
import { Play } from 'lucide-react'
import { useState } from 'react'
import { toSubmittedValues } from '../../formas/forma-start.ts'
import { INPUTS_SECTION } from '../../formas/manifest-inputs.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { Select } from '../../ui/forms/Select.tsx'
import { PasswordField, TextField } from '../../ui/forms/TextField.tsx'
import { useRestTrial } from '../connecting.queries.ts'
import { useSurroundings } from '../../formas/surroundings.ts'
import styles from './builder.module.css'
import type { BuilderContext } from './builder-context.ts'
import { TrialResult } from './TrialResult.tsx'
import type { Draft } from './use-draft.ts'

const MAX_PAGES = 5

export function TrialPanel({
  draft,
  stream: index,
  context,
}: {
  draft: Draft
  stream: number
  context: BuilderContext
}) {
  const { address } = useSurroundings()
  const trial = useRestTrial()
  const [pages, setPages] = useState(1)
  const [result, setResult] = useState<RestTrialResult | null>(null)
  const { manifest } = draft
  const stream = manifest.streams[index]?.name ?? ''
  const run = (count: number) => {
    setPages(count)
    draft.showAll()
    if (draft.faults.some(({ path }) => !path.startsWith('streams') || path.startsWith(`streams.${index}.`))) return
    trial.mutate(
      {
        params: address,
        body: {
          manifest,
          values: toSubmittedValues(context.values),
          stream,
          pages: count,
          ...(context.integration !== null && { integration_trellis_code: context.integration }),
        },
      },
      {
        onSuccess: (trial) => {
          setResult(trial)
          draft.showAll({ about: manifest, faults: trial.faults })
        },
      },
    )
  }
  return (
    <section className={styles.trial} aria-label="Test">
      <div className={styles.trialHead}>
        <Button icon={<Play aria-hidden />} isBusy={trial.isPending} onClick={() => run(pages)}>
          Test {stream}
        </Button>
        <Select
          label="Pages"
          value={String(pages)}
          options={Array.from({ length: MAX_PAGES }, (_, one) => ({ value: String(one + 1), label: String(one + 1) }))}
          onChange={(event) => setPages(Number(event.target.value))}
        />
      </div>
      <InputValues draft={draft} context={context} />
      {trial.isError && (
        <Banner tone="danger" title="The test could not run">
          {trial.error.message}
        </Banner>
      )}
      {result ? (
        <TrialResult
          result={result}
          records={manifest.streams[index]?.records ?? ''}
          canGoOn={pages < MAX_PAGES && !trial.isPending}
          onNext={() => run(pages + 1)}
          onPick={(path) => draft.set(`streams.${index}.records`, path)}
        />
      ) : (
        <p className={styles.hint}>
          A test sends the first request of this stream and shows what was sent, what came back and which records were
          found in it.
        </p>
      )}
    </section>
  )
}

/** A test needs values for the source's inputs; they are saved with the connection. */
function InputValues({ draft, context }: { draft: Draft; context: BuilderContext }) {
  const namedInputs = draft.manifest.inputs.filter(({ reference }) => reference !== '')
  if (namedInputs.length === 0) return null
  const values = context.values[INPUTS_SECTION] ?? {}
  return (
    <div className={styles.inputs}>
      {namedInputs.map(({ reference, label, is_secret }) => {
        const Input = is_secret ? PasswordField : TextField
        return (
          <Input
            key={reference}
            label={label || reference}
            hint={is_secret && context.integration ? 'Empty: the one that is kept is used.' : undefined}
            autoComplete="off"
            value={(values[reference] as string | undefined) ?? ''}
            onChange={(event) => context.onInput(reference, event.target.value)}
          />
        )
      })}
    </div>
  )
}
