import { Copy, EllipsisVertical, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../actions/Button.tsx'
import { IconButton } from '../actions/IconButton.tsx'
import { RowActions } from '../data/RowActions.tsx'
import { ConfirmDialog, TypedConfirmDialog } from '../overlays/ConfirmDialog.tsx'
import { Dialog } from '../overlays/Dialog.tsx'
import { Menu } from '../overlays/Menu.tsx'
import { SidePanel } from '../overlays/SidePanel.tsx'
import { Tooltip } from '../overlays/Tooltip.tsx'
import { Sample } from './Sample.tsx'

const GROUPS = [
  [
    { label: 'Rename', icon: <Pencil aria-hidden /> },
    { label: 'Duplicate', icon: <Copy aria-hidden />, note: 'With its schedule' },
    { label: 'Move', isDisabled: true },
  ],
  [{ label: 'Delete…', icon: <Trash2 aria-hidden />, isDanger: true }],
]

type OpenOverlay = 'dialog' | 'confirm' | 'typed' | 'panel' | null

export function OverlaySamples() {
  const [open, setOpen] = useState<OpenOverlay>(null)
  const close = () => setOpen(null)
  return (
    <>
      <Sample title="Dialog, ConfirmDialog, TypedConfirmDialog, SidePanel">
        <Button onClick={() => setOpen('dialog')}>Dialog</Button>
        <Button onClick={() => setOpen('confirm')}>Delete…</Button>
        <Button onClick={() => setOpen('typed')}>Delete by typing…</Button>
        <Button onClick={() => setOpen('panel')}>Details</Button>
      </Sample>
      <Sample title="Menu, RowActions and Tooltip">
        <Menu label="Dataflow" groups={GROUPS} trigger={(props) => <Button {...props}>Open menu</Button>} />
        <Menu
          label="Dataflow"
          align="end"
          groups={GROUPS}
          trigger={(props) => <IconButton {...props} label="More" icon={<EllipsisVertical aria-hidden />} />}
        />
        <RowActions label="Actions for a row" groups={GROUPS} />
        <Tooltip text="Every Monday at 06:00, Europe/Berlin">
          <Button variant="ghost">Hover or focus me</Button>
        </Tooltip>
      </Sample>
      {open === 'panel' && (
        <SidePanel title="Run 1,204" onClose={close}>
          Everything known about one row, with the list still in sight.
        </SidePanel>
      )}
      {open === 'dialog' && (
        <Dialog
          title="Tell me when it is done"
          onClose={close}
          footer={
            <>
              <Button onClick={close}>Cancel</Button>
              <Button variant="primary" onClick={close}>
                Send me a mail
              </Button>
            </>
          }
        >
          The run takes about four minutes. You can leave this page.
        </Dialog>
      )}
      {open === 'confirm' && (
        <ConfirmDialog title="Delete this worksheet?" onConfirm={close} onClose={close}>
          Its text and its results are lost.
        </ConfirmDialog>
      )}
      {open === 'typed' && (
        <TypedConfirmDialog title="Delete this workspace?" onConfirm={close} onClose={close}>
          <p>Its database with all tables, its dataflows and integrations are lost.</p>
        </TypedConfirmDialog>
      )}
    </>
  )
}
