import type { SourceSettings } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { SourcePreview } from '@trellis/contract/integrations/integrations.schemas'
import { useState } from 'react'
import { isSameData } from '../draft/settings-parts.ts'
import { readsChanges } from '../source/subtasks.ts'
import { useDraft } from '../draft/use-block-draft.ts'
import { useSourcePreview } from '../setup.queries.ts'
import { useSetupView } from '../setup-view.ts'
import { NoRows, PaneFrame, ReadAgain, SampleRows } from './PaneFrame.tsx'
import styles from './panes.module.css'

export function SourceInputPane() {
  const { settings, faults, save, isDisabled } = useDraft<SourceSettings>()
  const { subtask: at } = useSetupView()
  const subtask = settings.subtasks[at]
  const lacks = findMissingInput(settings, at, faults)
  return (
    <PaneOf
      key={`${settings.integration_trellis_code} ${at}`}
      about={subtask ? `What “${subtask.name}” finds at the source` : 'What the source gives'}
      wanted={{ integration: settings.integration_trellis_code ?? '', query: subtask?.query ?? {} }}
      lacks={lacks}
      isSaved={save === 'saved'}
      isDisabled={isDisabled}
    />
  )
}

interface PaneProps {
  about: string
  wanted: Parameters<typeof useSourcePreview>[0]
  lacks: string | null
  /** Only a saved query is known to be complete. */
  isSaved: boolean
  isDisabled: boolean
}

function PaneOf({ about, wanted, lacks, isSaved, isDisabled }: PaneProps) {
  const [asked, setAsked] = useState<typeof wanted | null>(null)
  if (asked === null && lacks === null && isSaved && !isDisabled) setAsked(wanted)
  const isAsked = asked !== null && lacks === null
  const preview = useSourcePreview(asked ?? wanted, isAsked)
  const isOld = isAsked && !isSameData(asked, wanted) && !preview.isFetching
  const again = () => (isOld ? setAsked(wanted) : void preview.refetch())
  return (
    <PaneFrame
      title="Input"
      about={about}
      actions={isAsked && <ReadAgain isOld={isOld} isBusy={preview.isFetching} onPress={again} />}
    >
      {isDisabled || lacks !== null ? (
        <NoRows isDisabled={isDisabled} lacks={lacks} />
      ) : (
        <>
          <SampleRows
            sample={preview.data && { ...preview.data, notes: [] }}
            error={preview.error}
            isOld={isOld || preview.isPlaceholderData}
            title="Input"
          />
          {preview.data && (
            <p className={styles.soft}>{describeFindings(preview.data, readsChanges((asked ?? wanted).query))}</p>
          )}
        </>
      )}
    </PaneFrame>
  )
}

export function findMissingInput(
  settings: SourceSettings,
  at: number,
  faults: readonly { path: string }[],
): string | null {
  if (settings.integration_trellis_code === null) return 'Choose a connection to see its rows.'
  if (!settings.subtasks[at]) return 'Add a subtask to see what it reads.'
  const isOpen = faults.some(({ path }) => path.startsWith(`subtasks.${at}.query`))
  return isOpen ? 'Say what to read, and its first rows appear here.' : null
}

function describeFindings(
  { declared_keys, candidate_keys, candidate_cursors }: SourcePreview,
  isFollowed: boolean,
): string {
  const [best] = declared_keys.length > 0 ? [declared_keys] : candidate_keys
  const key = best ? `Rows are identified by ${best.join(' + ')}.` : 'No column identifies these rows.'
  if (isFollowed) return `${key} What changes is read from the log.`
  const [cursor] = candidate_cursors
  return `${key} ${cursor ? `What is new can be followed by ${cursor}.` : 'No column shows what is new.'}`
}
