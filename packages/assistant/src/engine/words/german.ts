/** German words of business in names of tables, columns and values; an English word for each. */
const WORDS = `kunde=customer lieferant=supplier mitarbeiter=employee angestellte=employee benutzer=user nutzer=user mitglied=member person=person firma=company
unternehmen=company abteilung=department filiale=branch standort=location lager=warehouse bestand=stock artikel=article produkt=product ware=product
auftrag=order bestellung=order angebot=offer rechnung=invoice beleg=receipt gutschrift=credit mahnung=reminder mahnstufe=dunning_level zahlung=payment buchung=booking
lieferung=delivery lieferschein=delivery_note versand=shipment retoure=return vertrag=contract tarif=tariff zaehler=meter ablesung=reading ablese=reading verbrauch=consumption
stoerung=fault fehler=error ursache=cause meldung=report anlage=plant geraet=device maschine=machine fahrzeug=vehicle fahrt=trip fahrer=driver
reise=trip zimmer=room gast=guest reservierung=reservation patient=patient arzt=doctor termin=appointment behandlung=treatment krankenkasse=insurer
schueler=pupil student=student lehrer=teacher kurs=course fach=subject note=grade pruefung=exam klasse=class schule=school hochschule=university
spende=donation spender=donor projekt=project aufgabe=task team=team leiter=manager konto=account bank=bank betrag=amount summe=sum gesamt=total
preis=price grundpreis=base_price arbeitspreis=unit_price stueckpreis=unit_price kosten=cost gebuehr=fee umsatz=revenue erloes=revenue gewinn=profit gehalt=salary lohn=wage steuer=tax
mwst=vat rabatt=discount menge=quantity anzahl=count stueck=quantity gewicht=weight laenge=length breite=width hoehe=height groesse=size flaeche=area
dauer=duration stunde=hour minute=minute tag=day woche=week monat=month quartal=quarter jahr=year datum=date zeit=time zeitpunkt=time uhrzeit=time
beginn=start anfang=start start=start ende=end geburtsdatum=birth_date geburt=birth eintritt=hire austritt=leave einbau=installation ausbau=removal faellig=due
bezahlt=paid gezahlt=paid storniert=cancelled gekuendigt=terminated geloescht=deleted angelegt=created erstellt=created geaendert=updated gemeldet=reported
behoben=fixed erledigt=done geliefert=delivered versendet=shipped bestellt=ordered gebucht=booked offen=open geschlossen=closed aktiv=active inaktiv=inactive
ruhend=dormant gesperrt=blocked neu=new alt=old abgelehnt=rejected genehmigt=approved abgeschlossen=completed laufend=running entwurf=draft
name=name vorname=first_name nachname=last_name bezeichnung=name titel=title beschreibung=description bemerkung=remark notiz=note text=text art=type typ=type
gruppe=group kategorie=category klasse=class status=status zustand=condition stufe=level prioritaet=priority hoch=high mittel=medium niedrig=low
nummer=number kennung=code schluessel=key kennzeichen=flag ort=city stadt=city land=country strasse=street hausnummer=house_number plz=postcode postleitzahl=postcode
adresse=address anschrift=address bundesland=state region=region telefon=phone sprache=language geschlecht=gender maennlich=male weiblich=female
privat=private gewerbe=commercial industrie=industrial schaetzung=estimate sturm=storm unbekannt=unknown ja=yes nein=no bar=cash karte=card ueberweisung=transfer
lastschrift=debit oekostrom=green_electricity strom=electricity gas=gas wasser=water waerme=heat quelle=source kanal=channel herkunft=origin ziel=destination bewertung=rating
position=line zeile=line eingang=receipt ausgang=issue zugang=receipt abgang=issue inhaber=owner besitzer=owner vermittler=agent berater=advisor`

/** Also English words: German only as a part of a longer word. */
const ONLY_IN_COMPOUNDS = new Set(['art', 'tag', 'note', 'fach', 'bar', 'alt', 'ware', 'hoch', 'position'])

const SHORT =
  'kd=customer re=invoice rech=invoice rg=invoice best=order auftr=order art=article bez=name beschr=description dat=date abl=reading zr=meter vtr=contract ma=employee abt=department lief=supplier stk=quantity gueltig=valid jn=flag kz=flag knz=flag ges=total'

const parse = (list: string): Map<string, string> =>
  new Map(list.split(/\s+/).map((pair) => pair.split('=') as [string, string]))
const words = parse(WORDS)
const short = parse(SHORT)

export const spellUmlauts = (text: string): string =>
  text.replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue').replaceAll('ß', 'ss')

/** The word without an ending of plural or case; with an umlaut taken back, as in `vertraege`. */
function* listForms(word: string): Generator<string> {
  yield word
  for (const ending of ['n', 'en', 'e', 'er', 's', 'es', 'em', 'te', 'ten', 'nen']) {
    if (!word.endsWith(ending) || word.length - ending.length < 3) continue
    const bare = word.slice(0, -ending.length)
    yield bare
    yield bare.replace(/([aou])e(?=[^aeiou]+$)/, '$1')
  }
}

function findWord(word: string, excluded: ReadonlySet<string> = new Set()): string | undefined {
  for (const form of listForms(word)) {
    const found = excluded.has(form) ? undefined : words.get(form)
    if (found !== undefined) return found
  }
  return undefined
}

/** `kundengruppe` is customer group: two words, with a letter or two that join them. */
function splitCompound(word: string): string | undefined {
  for (let at = word.length - 3; at >= 3; at -= 1) {
    const last = findWord(word.slice(at))
    const first = last === undefined ? undefined : findWord(word.slice(0, at))
    if (first !== undefined && last !== undefined) return `${first}_${last}`
  }
  const [, first, last = ''] =
    /^(\p{L}{4,}?)s?(nummer|datum|preis|betrag|kennzeichen|bezeichnung|stufe|gruppe|(?<=[ers])art)$/u.exec(word) ?? []
  return first === undefined ? undefined : `${findWord(first) ?? first}_${words.get(last) ?? last}`
}

const known = new Map<string, string | undefined>()

/** The English words of a German one, none for a word of another language. */
export function translateGerman(part: string): string | undefined {
  const word = spellUmlauts(part.toLowerCase())
  if (!known.has(word)) known.set(word, lookUp(word))
  return known.get(word)
}

function lookUp(word: string): string | undefined {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return undefined
  const found = findWord(word, ONLY_IN_COMPOUNDS) ?? splitCompound(word)
  const text = found?.replaceAll('_', ' ')
  // Some words are the same in English, but for their plural.
  return text === word || `${text}s` === word ? undefined : text
}

/** Shortened parts are German only beside others that are: `rech_nr` with `rech_datum`. */
export const expandGerman = (part: string): string | undefined => short.get(part)

/** Words of the grammar of a question. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\bwie ?viele?\b/giu, 'how many'],
  [/\b(?:die |der )?(?:gesamt)?anzahl(?: der| an| von)?\b/giu, 'number of'],
  [/\bsumme(?: der| des| von)?\b/giu, 'sum'],
  [/\bdurchschnittliche[rns]?\b|\bim durchschnitt\b/giu, 'average'],
  [/\bhaben wir\b|\bgibt es\b/giu, ''],
  [/\b(?:pro|je)\b/giu, 'per'],
  [/\bnach\b/giu, 'by'],
  [/\bwelche[rsn]?\b/giu, 'which'],
  [/\bohne\b/giu, 'without'],
  [/\bzeige?(?: mir)?\b/giu, 'show'],
  [/\balle\b/giu, 'all'],
  [/\b(?:im|in den) letzten (\d+) tagen?\b/giu, 'in the last $1 days'],
  [/\bletzte[rsnm]? monat\b/giu, 'last month'],
  [/\bdieses jahr\b/giu, 'this year'],
  [/\bletztes jahr\b/giu, 'last year'],
  [/\bmonat\b/giu, 'month'],
  [/\bjahr\b/giu, 'year'],
  [/\bwoche\b/giu, 'week'],
]
const MARKS =
  /(?<!\p{L})(?:wie|viele?|anzahl|summe|durchschnitt\p{L}*|welche\p{L}*|nach|monat|jahr|woche|zeige?|gibt|ohne|der|die|das|den)(?!\p{L})/iu

/** The grammar of a German question in English; its nouns stay. */
export const translateQuestion = (text: string): string =>
  MARKS.test(text) && !/\b(?:how|many|the|what|which|show|by|is|are)\b/i.test(text)
    ? PHRASES.reduce((result, [pattern, english]) => result.replaceAll(pattern, english), text)
    : text
