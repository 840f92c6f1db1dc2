import { Copy, Pencil, Plus, Trash2 } from 'lucide-react'
import { Button, ButtonLink } from '../actions/Button.tsx'
import { CopyButton } from '../actions/CopyButton.tsx'
import { IconButton } from '../actions/IconButton.tsx'
import { Sample } from './Sample.tsx'

export function ActionSamples() {
  return (
    <>
      <Sample title="Button">
        <Button variant="primary" icon={<Plus aria-hidden />}>
          New workspace
        </Button>
        <Button>Secondary</Button>
        <Button variant="ghost">Ghost</Button>
        <Button variant="danger">Delete</Button>
      </Sample>
      <Sample title="Sizes and states">
        <Button size="sm">Small</Button>
        <Button>Medium</Button>
        <Button size="lg" variant="primary">
          Large
        </Button>
        <Button variant="primary" isBusy>
          Saving
        </Button>
        <Button variant="primary" disabled>
          Disabled
        </Button>
        <ButtonLink to="/design">A link</ButtonLink>
      </Sample>
      <Sample title="IconButton and CopyButton">
        <IconButton label="Edit" icon={<Pencil aria-hidden />} />
        <IconButton label="Duplicate" icon={<Copy aria-hidden />} />
        <IconButton label="Delete" icon={<Trash2 aria-hidden />} disabled />
        <CopyButton text="copied from the gallery" what="Copy text" />
        <CopyButton text="copied from the gallery" label="Copy" />
      </Sample>
    </>
  )
}
