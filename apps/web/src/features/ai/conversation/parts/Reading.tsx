import type { Chip } from '@trellis/contract/ai/message-parts.schemas'
import { ChevronDown } from 'lucide-react'
import { Menu } from '../../../../ui/overlays/Menu.tsx'
import { useConversationQuestion, useCanAsk } from '../conversation-question.ts'
import { ParameterChip } from './ParameterChip.tsx'
import type { PartOf } from './part-kinds.ts'
import styles from './parts.module.css'

const KIND_LABELS: Record<Chip['kind'], string> = {
  table: 'Table',
  measure: 'Measure',
  group: 'Group by',
  filter: 'Filter',
  time: 'Time',
  order: 'Order',
  limit: 'Limit',
  parameter: 'Value',
}

export function Reading({ reading: { summary, chips, ignored_words } }: { reading: PartOf<'reading'> }) {
  const { ask, question, choices } = useConversationQuestion()
  const current = Object.fromEntries(chips.map(({ id, value }) => [id, value]))
  return (
    <div role="group" aria-label="How the question was read" className={styles.reading}>
      <p className={styles.summary}>{summary}</p>
      <div className={styles.chips}>
        {chips.map((chip) => {
          const ChipView = chip.kind === 'parameter' ? ParameterChip : ReadingChip
          const onChoose = (value: string) => ask(question, { ...choices, ...current, [chip.id]: value })
          return <ChipView key={chip.id} chip={chip} onChoose={onChoose} />
        })}
      </div>
      <IgnoredWords words={ignored_words} />
    </div>
  )
}

function ReadingChip({ chip, onChoose }: { chip: Chip; onChoose: (value: string) => void }) {
  const canAsk = useCanAsk()
  const kind = KIND_LABELS[chip.kind]
  if (chip.options.length < 2) {
    return (
      <span className={styles.chip}>
        <span className={styles.chipKind}>{kind}</span> {chip.label}
      </span>
    )
  }
  return (
    <Menu
      label={`Change ${kind.toLowerCase()}`}
      groups={[
        chip.options.map(({ value, label }) => ({
          label,
          isSelected: value === chip.value,
          onSelect: () => value !== chip.value && onChoose(value),
        })),
      ]}
      trigger={(props) => (
        <button {...props} type="button" className={styles.chip} disabled={!canAsk}>
          <span className={styles.chipKind}>{kind}</span> {chip.label}
          <ChevronDown aria-hidden />
        </button>
      )}
    />
  )
}

export function IgnoredWords({ words }: { words: readonly string[] }) {
  if (words.length === 0) return null
  return <p className={styles.soft}>Words that were not used: {words.map((word) => `“${word}”`).join(', ')}</p>
}
