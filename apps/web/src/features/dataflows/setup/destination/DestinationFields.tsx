import { WRITE_STRATEGIES, type WriteStrategy } from '@trellis/contract/dataflows/dataflow-words'
import type { DestinationSettings } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { Forma } from '@trellis/contract/formas/forma'
import { useEffect, useMemo, useState } from 'react'
import { Loaded } from '../../../../app/loading/Loaded.tsx'
import { toSubmittedValues } from '../../../../formas/forma-start.ts'
import { FormaFields } from '../../../../formas/FormaFields.tsx'
import { SurroundingsProvider } from '../../../../formas/surroundings.ts'
import { RadioGroup } from '../../../../ui/forms/Choices.tsx'
import { useDataflowsScope } from '../../dataflows.queries.ts'
import { useDraft } from '../draft/use-block-draft.ts'
import { InputFields } from '../panes/InputFields.tsx'
import styles from '../setup.module.css'
import { useQueryFormas } from '../setup.queries.ts'
import { ConnectionPicker } from '../source/ConnectionPicker.tsx'
import { findForma, isFilledAlike, useControlledForma } from '../source/controlled-forma.ts'
import { SampledTableSetup } from '../write/SampledTableSetup.tsx'

const HINTS: Record<WriteStrategy, string> = {
  Append: 'Every run sends its rows in addition to what is there.',
  Replace: 'Every run puts its rows in the place of what is there.',
  Upsert: 'Rows with a known key are updated, others are added. Needs a primary key.',
}

export default function DestinationFields() {
  const { settings, change, isDisabled } = useDraft<DestinationSettings>()
  const [platform, setPlatform] = useState<string | null>(null)
  const formas = useQueryFormas('destination', settings.integration_trellis_code)
  return (
    <>
      <InputFields
        input={settings.input}
        onChange={(input, fieldPath) => change((old) => ({ ...old, input }), fieldPath)}
      />
      <ConnectionPicker
        part="destination"
        platform={platform}
        integration={settings.integration_trellis_code}
        onPlatform={setPlatform}
        onConnect={(integration_trellis_code, isOther) =>
          change(
            (old) => ({ ...old, integration_trellis_code, query: isOther ? {} : old.query }),
            'integration_trellis_code',
          )
        }
      />
      {settings.integration_trellis_code !== null && (
        <section className={styles.group} aria-label="Target">
          <Loaded query={formas} subject="Where it can write" skeletonHeights={[96]}>
            {({ formas: all }) => <Target key={settings.integration_trellis_code} all={all} />}
          </Loaded>
        </section>
      )}
      <section className={styles.group} aria-label="Write mode" data-path="strategy">
        <RadioGroup
          label="Write mode"
          value={settings.strategy}
          onChange={(strategy) => change((old) => ({ ...old, strategy: strategy as WriteStrategy }), 'strategy')}
          options={WRITE_STRATEGIES.map((value) => ({ value, label: value, hint: HINTS[value], isDisabled }))}
        />
        <SampledTableSetup
          path="dataModel"
          side="input"
          isKeyNeeded={settings.strategy === 'Upsert'}
          settled={settings.dataModel}
          onSave={(dataModel) => change((old) => ({ ...old, dataModel }), null)}
        />
      </section>
    </>
  )
}

function Target({ all }: { all: readonly Forma[] }) {
  const { settings } = useDraft<DestinationSettings>()
  const forma = findForma(all, settings.query)
  return forma ? <TargetFields forma={forma} /> : null
}

function TargetFields({ forma }: { forma: Forma }) {
  const { address } = useDataflowsScope()
  const { settings, change, amend, isDisabled } = useDraft<DestinationSettings>()
  const { query, integration_trellis_code: integration } = settings
  const form = useControlledForma(forma, query, (values, element) =>
    change((old) => ({ ...old, query: toSubmittedValues(values) }), `query.${element}`),
  )
  const start = toSubmittedValues(form.values)
  // Written into the settings explicitly: the server does not apply form defaults.
  useEffect(() => {
    if (!isDisabled && !isFilledAlike(start, query)) amend((old) => ({ ...old, query: start }))
  }, [isDisabled, start, query, amend])
  const surroundings = useMemo(() => ({ address, integration }), [address, integration])
  return (
    <div data-path="query">
      <SurroundingsProvider value={surroundings}>
        <FormaFields form={form} isDisabled={isDisabled} />
      </SurroundingsProvider>
    </div>
  )
}
