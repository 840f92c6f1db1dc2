import { Dialog } from '../../../../ui/overlays/Dialog.tsx'
import type { DialogProps } from './dialog-props.ts'
import { ChoiceList } from './ChoiceList.tsx'
import GroupDialog from './GroupDialog.tsx'

export default function AddToGroupDialog({ codes, ...props }: DialogProps & { codes: readonly string[] }) {
  const { canvas, actions, onClose } = props
  // A group whose blocks were deleted is kept for undo and not shown.
  const groups = canvas.groups.filter(({ trellis_code }) => (actions.groupWith(trellis_code)?.members.length ?? 0) > 0)
  if (groups.length === 0) return <GroupDialog {...props} codes={codes} group={null} />
  return (
    <Dialog title="Add to group" onClose={onClose}>
      <ChoiceList
        label="Groups"
        none="There are no groups yet."
        choices={groups.map(({ trellis_code, name }) => ({ key: trellis_code, label: name || 'Group' }))}
        onChoose={(group) => {
          onClose()
          void actions.moveToGroup(codes, group)
        }}
      />
    </Dialog>
  )
}
