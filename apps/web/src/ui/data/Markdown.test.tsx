import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Markdown, MarkdownLine } from './Markdown.tsx'

const open = async (text: string, props: { hasOutsideLinks?: boolean } = {}): Promise<HTMLElement> => {
  const { container } = render(
    <>
      <Markdown text={text} {...props} />
      <Markdown text="**drawn**" />
    </>,
  )
  await screen.findByText('drawn', { selector: 'strong' })
  return container.firstElementChild as HTMLElement
}

test('headings, lists, code and quotes', async () => {
  const all = await open(
    '# Orders\n\nOne *row* each,\nnever ~~two~~.\n\n---\n\n```\nselect 1\n```\n> said\n\n- `id`\n- **amount**',
  )
  expect(all.innerHTML).toBe(
    '<h3>Orders</h3><p>One <em>row</em> each,\nnever <del>two</del>.</p><hr><pre tabindex="0">select 1</pre>' +
      '<blockquote><p>said</p></blockquote><ul><li><code>id</code></li><li><strong>amount</strong></li></ul>',
  )
})

test('lists nest, go on in indented lines and keep their numbers', async () => {
  const all = await open(
    '3. first\n   goes on\n   - inner\n\n     ```\n     code\n     ```\n4. second\n\n* [x] done\n* [ ] open',
  )
  expect(all.querySelector('ol')?.getAttribute('start')).toBe('3')
  expect(all.querySelector('ol > li > ul > li')?.textContent).toContain('inner')
  expect(all.querySelector('ol ul pre')?.textContent).toBe('code')
  expect(all.querySelectorAll('ol > li')).toHaveLength(2)
  expect([...all.querySelectorAll('div > ul > li')].map((item) => item.textContent)).toEqual(['☑ done', '☐ open'])
})

test('names with underscores, calculations and escaped marks are text', async () => {
  const all = await open('see order_line_id and 2 * 3 * 4, \\*not\\* this')
  expect(all.innerHTML).toBe('<p>see order_line_id and 2 * 3 * 4, *not* this</p>')
})

test('a bar may stand in the cell of a table, and columns keep their alignment', async () => {
  const all = await open('| Is | A |\n| --- | --: |\n| `a \\| b` | **c** |\n\nafter')
  expect(screen.getByRole('columnheader', { name: 'A' }).style.textAlign).toBe('right')
  expect(screen.getByRole('cell', { name: 'a | b' }).querySelector('code')).not.toBeNull()
  expect(all.querySelector('p')?.textContent).toBe('after')
})

test.each([
  ['[x](javascript:alert\\(1\\))', 0],
  ['[x](JavaScript&colon;alert(1))', 0],
  ['[x](data:text/html,hi)', 0],
  ['[x](//elsewhere.example)', 0],
  ['[x](/\\\\elsewhere.example)', 0],
  ['[x](</\t/elsewhere.example>)', 0],
  ['<img src=x onerror=alert(1)>', 0],
  ['<script>alert(1)</script>', 0],
  ['[x](https://example.com "title")', 1],
  ['[x](/shop/data#rows)', 1],
  ['<ada@example.com>', 1],
])('%s has %i links and no element of its own', async (text, links) => {
  const all = await open(text)
  expect(all.querySelectorAll('a')).toHaveLength(links)
  expect(all.querySelector('img, script')).toBeNull()
  if (links === 0) expect(all.textContent).toBe(text)
})

test('a picture is not loaded: it is a link', async () => {
  const all = await open('![plan](https://example.com/plan.png)')
  expect(all.innerHTML).toBe(
    '<p><a href="https://example.com/plan.png" target="_blank" rel="noreferrer noopener">plan</a></p>',
  )
})

test('without outside links their text and address are shown', async () => {
  const text = '[a](https://a.example/?q=1), https://b.example and [c](/shop)'
  const all = await open(text, { hasOutsideLinks: false })
  expect(all.textContent).toBe('a (https://a.example/?q=1), https://b.example and c')
  expect([...all.querySelectorAll('a')].map((item) => item.getAttribute('href'))).toEqual(['/shop'])
})

test('a line of a list shows the first line alone', async () => {
  render(<MarkdownLine text={'**Net** of tax\nsecond'} />)
  expect((await screen.findByText('Net')).tagName).toBe('STRONG')
  expect(document.body.textContent).toBe('Net of tax')
})

test.each([
  ['thousands of marks', '`a` '.repeat(2000), 'code', 2000],
  ['quotes in quotes', `${'>'.repeat(5000)} deep`, 'blockquote', 0],
  ['lists in lists', `${'- '.repeat(400)}deep`, 'ul', 40],
  ['unclosed emphasis', '_a__b'.repeat(10_000), 'em', 0],
  ['unclosed links', '[a]('.repeat(5000), 'a', 0],
])('%s do not end the page', async (...[, text, selector, count]) => {
  const all = await open(text)
  expect(all.textContent).toContain(text.slice(-4).trim().replaceAll('`', ''))
  expect(all.querySelectorAll(selector)).toHaveLength(count)
})
