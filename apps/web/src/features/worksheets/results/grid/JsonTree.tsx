import { useMemo, useState } from 'react'
import { CopyButton } from '../../../../ui/actions/CopyButton.tsx'
import { SearchField } from '../../../../ui/forms/SearchField.tsx'
import { type JsonNode, parseJsonTree, filterJsonTree } from './json-nodes.ts'
import styles from './json-tree.module.css'

export function JsonTree({ text }: { text: string }) {
  const tree = useMemo(() => parseJsonTree(text), [text])
  const [search, setSearch] = useState('')
  const shownJsonNode = useMemo(() => (tree && search !== '' ? filterJsonTree(tree, search) : tree), [tree, search])
  if (!tree) return null
  return (
    <div className={styles.tree}>
      <SearchField label="Search in this value" value={search} onChange={(event) => setSearch(event.target.value)} />
      {shownJsonNode ? (
        <ul aria-label="Value as a tree">
          <Branch key={search} node={shownJsonNode} isOpen depth={search === '' ? 0 : -20} />
        </ul>
      ) : (
        <p>Nothing found.</p>
      )}
    </div>
  )
}

function Branch({ node, isOpen, depth }: { node: JsonNode; isOpen: boolean; depth: number }) {
  const { name, path, text, children } = node
  const line = (
    <>
      {name !== '' && <b>{name}</b>} <code>{text.length > 300 ? `${text.slice(0, 300)}…` : text}</code>
    </>
  )
  if (children.length === 0) {
    return (
      <li className={styles.line}>
        {line} <CopyButton text={path} what={`Copy path ${path}`} />
      </li>
    )
  }
  return (
    <li>
      <details open={isOpen}>
        <summary>{line}</summary>
        <ul>
          {children.map((child) => (
            <Branch key={child.path} node={child} isOpen={depth < 1} depth={depth + 1} />
          ))}
        </ul>
      </details>
    </li>
  )
}
