import type { FormaElement, FormaSection } from '@trellis/contract/formas/forma'
import { listShownSections } from '@trellis/contract/formas/forma-rules'
import { lazy, Suspense, type ComponentType } from 'react'
import { Skeleton } from '../ui/feedback/Skeleton.tsx'
import { BooleanElement, NumberElement, SecretElement, TextElement } from './elements/PlainElements.tsx'
import { ManifestElement, OauthElement } from './elements/ScreenParts.tsx'
import { SelectElement } from './elements/SelectElement.tsx'
import styles from './formas.module.css'
import type { ElementProps } from './surroundings.ts'
import { getElementValue, type FormaForm } from './use-forma.ts'

type Views = { [T in FormaElement['type']]: ComponentType<ElementProps<T>> }

const VIEWS: Views = {
  text: TextElement,
  secret: SecretElement,
  number: NumberElement,
  select: SelectElement,
  boolean: BooleanElement,
  rest_manifest: ManifestElement,
  oauth_link: OauthElement,
  multi_select: lazy(() => import('./elements/MultiSelectElement.tsx')),
  table_picker: lazy(() => import('./elements/TablePickerElement.tsx')),
  historic_date_range: lazy(() => import('./elements/DateRangeElement.tsx')),
  dimensions: lazy(() => import('./elements/DimensionsElement.tsx')),
  goals: lazy(() => import('./elements/GoalsElement.tsx')),
  query_editor: lazy(() => import('./elements/QueryEditorElement.tsx')),
  macro: lazy(() => import('./elements/MacroElement.tsx')),
}

export function FormaFields({ form, isDisabled = false }: { form: FormaForm; isDisabled?: boolean }) {
  const sections = listShownSections(form.forma, form.values).filter(({ elements }) => elements.length > 0)
  return (
    <div className={styles.forma}>
      {sections.map((section) => (
        <fieldset key={section.reference} className={styles.section}>
          <legend>
            {section.title}
            {!section.is_required && !section.elements.every(({ type }) => type === 'oauth_link') && (
              <span className={styles.optional}>optional</span>
            )}
          </legend>
          {section.description && <p className={styles.description}>{section.description}</p>}
          {section.elements.map((element) => (
            <Element key={element.reference} section={section} element={element} form={form} isDisabled={isDisabled} />
          ))}
        </fieldset>
      ))}
    </div>
  )
}

interface FormaElementProps {
  section: FormaSection
  element: FormaElement
  form: FormaForm
  isDisabled: boolean
}

function Element({ section, element, form, isDisabled }: FormaElementProps) {
  const name = `${section.reference}.${element.reference}`
  const View = VIEWS[element.type] as ComponentType<ElementProps<FormaElement['type']>>
  return (
    <div className={styles.element} data-element={name}>
      <Suspense fallback={<Skeleton height={58} />}>
        <View
          element={element}
          name={name}
          value={getElementValue(form.values, name)}
          error={form.getShownError(name)}
          isOptional={section.is_required && element.is_optional === true}
          isDisabled={isDisabled}
          isKept={form.isKept(name)}
          onChange={(value) => form.setValue(name, value)}
          onTouch={() => form.touch(name)}
          onReplace={(isReplaced) => form.replaceSecret(name, isReplaced)}
        />
      </Suspense>
    </div>
  )
}
