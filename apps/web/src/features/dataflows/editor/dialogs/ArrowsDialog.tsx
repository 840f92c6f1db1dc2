import type { BlockCard } from '@trellis/contract/dataflows/task-blocks.schemas'
import { X } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../../../ui/actions/IconButton.tsx'
import { Dialog } from '../../../../ui/overlays/Dialog.tsx'
import { wouldCreateCycle } from '../model/order.ts'
import { KindIcon } from '../view/KindIcon.tsx'
import type { DialogProps } from './dialog-props.ts'
import { ChoiceList } from './ChoiceList.tsx'
import styles from './dialogs.module.css'

export default function ArrowsDialog({
  canvas,
  actions,
  block: blockCard,
  onClose,
}: DialogProps & { block: BlockCard }) {
  const code = blockCard.task_block_trellis_code
  const block = canvas.blocks.find((candidate) => candidate.task_block_trellis_code === code) ?? blockCard
  const [isBusy, setBusy] = useState(false)
  const before = canvas.blocks.filter((candidate) => block.waits_for.includes(candidate.task_block_trellis_code))
  const after = canvas.blocks.filter((block) => block.waits_for.includes(code))
  const otherBlocks = canvas.blocks.filter((candidate) => candidate !== block && !after.includes(candidate))
  const during = async (work: Promise<unknown>) => {
    setBusy(true)
    await work
    setBusy(false)
  }
  const connect = async (target: string) => {
    setBusy(true)
    const isDrawn = await actions.connect(code, target)
    setBusy(false)
    if (isDrawn) onClose()
  }
  return (
    <Dialog title={`Arrows of ${block.name}`} size="md" isLocked={isBusy} onClose={onClose}>
      <Ends title="It waits for" blocks={before} onRemove={(other) => void during(actions.disconnect(other, code))} />
      <Ends
        title="These wait for it"
        blocks={after}
        onRemove={(other) => void during(actions.disconnect(code, other))}
      />
      <h3 className={styles.part}>Draw an arrow to</h3>
      <ChoiceList
        label="Blocks"
        none="There is no other block."
        choices={otherBlocks.map((item) => {
          const isCircle = wouldCreateCycle(canvas.blocks, code, item.task_block_trellis_code)
          return {
            key: item.task_block_trellis_code,
            label: item.name,
            note: isCircle ? `${item.kind} · comes before it, so the arrow would close a circle` : item.kind,
            isDisabled: isCircle || isBusy,
            icon: <KindIcon kind={item.kind} icon={item.platform_icon} />,
          }
        })}
        onChoose={(target) => void connect(target)}
      />
    </Dialog>
  )
}

interface EndsProps {
  title: string
  blocks: readonly BlockCard[]
  onRemove: (code: string) => void
}

function Ends({ title, blocks, onRemove }: EndsProps) {
  if (blocks.length === 0) return null
  return (
    <>
      <h3 className={styles.part}>{title}</h3>
      <ul className={styles.ends}>
        {blocks.map(({ task_block_trellis_code: code, name }) => (
          <li key={code}>
            <span>{name}</span>
            <IconButton
              size="sm"
              label={`Take away the arrow: ${name}`}
              icon={<X aria-hidden />}
              onClick={() => onRemove(code)}
            />
          </li>
        ))}
      </ul>
    </>
  )
}
