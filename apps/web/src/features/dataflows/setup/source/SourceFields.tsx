import type { SourceSettings } from '@trellis/contract/dataflows/task-blocks.schemas'
import { useState } from 'react'
import { useDraft } from '../draft/use-block-draft.ts'
import { ConnectionPicker } from './ConnectionPicker.tsx'
import { SubtaskEditor } from './SubtaskEditor.tsx'
import { withNewSubtask } from './subtasks.ts'
import { SubtaskList } from './SubtaskList.tsx'
import styles from '../setup.module.css'
import { useSetupView } from '../setup-view.ts'

export default function SourceFields() {
  const { settings, change } = useDraft<SourceSettings>()
  const { subtask, showSubtask } = useSetupView()
  const [platform, setPlatform] = useState<string | null>(null)
  const subtaskIndex = Math.min(subtask, Math.max(0, settings.subtasks.length - 1))
  const connect = (integration_trellis_code: string | null, isOtherPlatform: boolean) =>
    change((old) => {
      // A query of one platform does not apply to another.
      const kept = isOtherPlatform ? old.subtasks.map((subtask) => ({ ...subtask, query: {} })) : old.subtasks
      const isFirst = integration_trellis_code !== null && kept.length === 0
      return { ...old, integration_trellis_code, subtasks: isFirst ? withNewSubtask(kept, {}) : kept }
    }, 'integration_trellis_code')
  return (
    <>
      <ConnectionPicker
        part="source"
        platform={platform}
        integration={settings.integration_trellis_code}
        onPlatform={setPlatform}
        onConnect={connect}
      />
      {settings.integration_trellis_code !== null && (
        <section className={styles.group} aria-labelledby="subtasks">
          <SubtaskList subtaskIndex={subtaskIndex} onChoose={showSubtask} />
          {settings.subtasks[subtaskIndex] && (
            <SubtaskEditor
              key={`${settings.integration_trellis_code} ${subtaskIndex}`}
              subtaskIndex={subtaskIndex}
              subtask={settings.subtasks[subtaskIndex]}
            />
          )}
        </section>
      )}
    </>
  )
}
