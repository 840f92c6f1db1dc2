import { formatCount } from '../../../ui/data/amounts.ts'
import { CompactSelect } from '../../../ui/forms/CompactSelect.tsx'
import styles from './question-box.module.css'

export type Engine = 'model' | 'rules'

interface EngineChoiceProps {
  answering: { engine: Engine; model: string | null; credits_per_answer: number }
  engine: Engine
  onChange: (engine: Engine) => void
}

export function EngineChoice({ answering, engine, onChange }: EngineChoiceProps) {
  const { model, credits_per_answer } = answering
  if (answering.engine === 'rules') {
    return (
      <p className={styles.engine}>
        Rule-based assistant; connect a model for free-form questions. {describeCost(credits_per_answer)}
      </p>
    )
  }
  return (
    <p className={styles.engine}>
      <CompactSelect
        label="Answer with"
        value={engine}
        options={[
          { value: 'model', label: model ?? 'Model' },
          { value: 'rules', label: 'Rules only' },
        ]}
        onChange={onChange}
      />
      <span>{engine === 'rules' ? 'Answers by rules are free.' : describeCost(credits_per_answer)}</span>
    </p>
  )
}

function describeCost(credits: number): string {
  return credits === 0
    ? 'Answers are free.'
    : `An answer costs ${formatCount(credits, 'credit')}; failed or stopped answers cost nothing.`
}
