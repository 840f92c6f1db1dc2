const DICTIONARY = `kunde=customer lieferant=supplier mitarbeiter=employee angestellte=employee benutzer=user nutzer=user mitglied=member person=person firma=company
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
ruhend=dormant gesperrt=blocked neu=new alt=old abgelehnt=rejected genehmigt=approved abgeschlossen=completed laufend=running laufleistung=mileage kmstand=mileage kilometerstand=mileage entwurf=draft
name=name vorname=first_name nachname=last_name bezeichnung=name titel=title beschreibung=description bemerkung=remark notiz=note text=text art=type typ=type
gruppe=group kategorie=category klasse=class status=status zustand=condition stufe=level prioritaet=priority hoch=high mittel=medium niedrig=low
nummer=number kennung=code schluessel=key kennzeichen=flag ort=city stadt=city land=country strasse=street hausnummer=house_number plz=postcode postleitzahl=postcode
adresse=address anschrift=address bundesland=state region=region telefon=phone sprache=language geschlecht=gender maennlich=male weiblich=female
privat=private gewerbe=commercial industrie=industrial schaetzung=estimate sturm=storm unbekannt=unknown ja=yes nein=no bar=cash karte=card ueberweisung=transfer
lastschrift=debit oekostrom=green_electricity strom=electricity gas=gas wasser=water waerme=heat quelle=source kanal=channel herkunft=origin ziel=destination bewertung=rating
werkstatt=workshop wartung=maintenance instandhaltung=maintenance reparatur=repair inspektion=inspection reifen=tire reifenwechsel=tire_change tankung=refuelling getankt=refuelled tanken=refuelling tankstelle=gas_station
kraftstoff=fuel diesel=diesel benzin=petrol elektro=electric antrieb=drive hersteller=manufacturer modell=model baujahr=built_year angeschafft=purchased anschaffung=purchase kauf=purchase gekauft=purchased
verkauf=sale einkauf=purchase verkauft=sold ausgemustert=decommissioned stillgelegt=decommissioned kilometer=kilometre strecke=distance entfernung=distance abfahrt=departure ankunft=arrival zweck=purpose grund=reason
schaden=damage unfall=accident schadenhoehe=damage_amount versicherung=insurance versichert=insured police=policy selbst=self verschuldet=inflicted schuld=fault eingestellt=hired einstellung=hiring
fuehrerschein=driving_license lizenz=license partner=partner vertragspartner=contract_partner begonnen=started fertig=finished beendet=ended liter=litre kostenstelle=cost_centre stand=level feuerwehr=fire_department
gemeinde=municipality buerger=citizen amt=office behoerde=authority antrag=application antragsteller=applicant bescheid=decision bewilligt=approved genehmigung=permit bauantrag=building_application gesuch=application
verein=club vorstand=board beitrag=fee spieler=player mannschaft=team spiel=match tor=goal turnier=tournament halle=hall platz=place sportart=sport training=training
gericht=court richter=judge anwalt=lawyer klaeger=plaintiff beklagter=defendant verfahren=proceeding verhandlung=hearing urteil=judgment akte=file aktenzeichen=file_number strafe=fine busse=fine
krankenhaus=hospital station=ward pflege=care pfleger=nurse diagnose=diagnosis medikament=drug rezept=prescription untersuchung=examination befund=finding operation=surgery aufnahme=admission entlassung=discharge entlassen=discharged aufgenommen=admitted
tier=animal hund=dog katze=cat rasse=breed futter=feed halter=owner tierarzt=veterinarian impfung=vaccination stall=barn kuh=cow milch=milk ernte=harvest feld=field hof=farm
baum=tree garten=garden park=park strassenbaum=tree wald=forest flur=field boden=soil saat=seed pflanze=plant sorte=variety duenger=fertilizer
wohnung=apartment haus=house gebaeude=building miete=rent mieter=tenant vermieter=landlord kaution=deposit nebenkosten=utilities etage=floor stockwerk=floor baeder=bathrooms
buch=book autor=author verfasser=author verlag=publisher ausleihe=loan ausgeliehen=borrowed rueckgabe=return zurueckgegeben=returned leser=reader exemplar=copy bibliothek=library zeitschrift=magazine
veranstaltung=event eintrittskarte=ticket besucher=visitor ausstellung=exhibition kuenstler=artist werk=work museum=museum fuehrung=tour sammlung=collection theater=theatre auffuehrung=performance
mieten=rent buchen=book bestellen=order liefern=deliver zahlen=pay erhalten=received erhaltene=received gesendet=sent verschickt=sent eroeffnet=opened geoeffnet=opened unterschrieben=signed gueltig=valid ungueltig=invalid abgelaufen=expired verlaengert=extended
gestartet=started angefangen=started abgebrochen=aborted abgesagt=cancelled verschoben=postponed bestaetigt=confirmed geprueft=checked freigegeben=released veroeffentlicht=published registriert=registered angemeldet=registered abgemeldet=deregistered
wert=value umsaetze=revenue einnahme=income ausgabe=expense budget=budget kredit=loan darlehen=loan zins=interest rate=instalment schuldner=debtor glaeubiger=creditor guthaben=balance saldo=balance waehrung=currency
anrede=salutation familienname=last_name geburtstag=birthday alter=age beruf=occupation staatsangehoerigkeit=nationality familienstand=marital_status kinder=children kind=child eltern=parents
auto=car lkw=truck bus=bus bahn=railway zug=train flug=flight flughafen=airport hafen=port schiff=ship ladung=cargo spedition=carrier paket=parcel sendung=shipment empfaenger=recipient absender=sender route=route haltestelle=stop linie=line
sensor=sensor messung=measurement messwert=reading temperatur=temperature feuchte=humidity druck=pressure leistung=power spannung=voltage alarm=alert grenzwert=limit einheit=unit
kurse=course teilnehmer=participant teilnahme=participation dozent=lecturer vorlesung=lecture semester=semester studiengang=program abschluss=degree zeugnis=certificate anmeldung=registration unterricht=lesson schuljahr=school_year
restaurant=restaurant speise=dish getraenk=drink tisch=table kellner=waiter kueche=kitchen zutat=ingredient
abo=subscription abonnement=subscription abonnent=subscriber folge=episode sendereihe=series hoerer=listener zuschauer=viewer aufruf=view klick=click werbung=advertising kampagne=campaign
verantwortlich=responsible zustaendig=responsible bearbeiter=handler sachbearbeiter=clerk ansprechpartner=contact vorgesetzter=supervisor vertreter=representative kollege=colleague schicht=shift urlaub=vacation krank=sick arbeitszeit=working_time ueberstunden=overtime
mangel=defect ausschuss=scrap charge=batch los=lot fertigung=production produktion=production rohstoff=raw_material bauteil=component ersatzteil=spare_part stueckliste=bill_of_materials arbeitsgang=operation ausfall=downtime stillstand=downtime
weiss=white schwarz=black rot=red blau=blue gruen=green gelb=yellow gross=large klein=small lang=long kurz=short schwer=heavy leicht=light dringend=urgent wichtig=important normal=normal voll=full leer=empty gut=good schlecht=bad warm=warm kalt=cold schnell=fast langsam=slow
tierart=species geimpft=vaccinated impfstoff=vaccine gehege=enclosure kaefig=cage beheizt=heated dienst=shift bereich=area vermittlung=placement vermittelt=placed kastriert=neutered quittung=receipt tierheim=shelter
eingegangen=received eingang=receipt geboren=born gestorben=died verstorben=deceased zurueckgegeben=returned verschickt=sent verliehen=lent gewaehlt=elected gewonnen=won verloren=lost gefunden=found gesucht=wanted
abgeholt=picked_up angekommen=arrived abgereist=departed angereist=arrived bewertet=rated gelesen=read besucht=visited besuch=visit teilgenommen=attended bestanden=passed durchgefallen=failed
seit=since bis=until von=from gesamtpreis=total_price einzelpreis=unit_price nettobetrag=net_amount bruttobetrag=gross_amount netto=net brutto=gross zuschlag=surcharge trinkgeld=tip pfand=deposit
zutritt=access eintritt=entry karte=card ticket=ticket sitz=seat sitzplatz=seat reihe=row saal=hall buehne=stage film=film vorstellung=screening kino=cinema musik=music lied=song album=album
wein=wine rebsorte=grape_variety jahrgang=vintage flasche=bottle fass=barrel bier=beer brauerei=brewery winzer=winemaker weinberg=vineyard keller=cellar verkostung=tasting
skigebiet=ski_resort piste=slope lift=lift schnee=snow huette=hut berg=mountain tal=valley gipfel=summit wanderung=hike ausruestung=equipment verleih=rental leihe=rental
schwimmbad=swimming_pool becken=pool badegast=visitor sauna=sauna trainer=coach stunde=hour sporthalle=gym
gemeinderat=council sitzung=meeting beschluss=resolution partei=party wahl=election stimme=vote waehler=voter kandidat=candidate wahlkreis=constituency
baustelle=construction_site bauleiter=site_manager gewerk=trade bau=construction geruest=scaffold material=material lieferdatum=delivery_date baubeginn=construction_start fertigstellung=completion
muell=waste abfall=waste tonne=bin leerung=emptying abholung=pickup wertstoff=recyclable gewicht=weight
energie=energy solar=solar windrad=wind_turbine netz=grid anschluss=connection haushalt=household
nachricht=message anruf=call beschwerde=complaint anfrage=request antwort=answer beantwortet=answered eskaliert=escalated loesung=solution geloest=solved
kurier=courier fracht=freight zoll=customs container=container lagerplatz=storage_location regal=shelf palette=pallet
friseur=hairdresser salon=salon dienstleistung=service kundin=customer stammkunde=regular_customer gutschein=voucher
apotheke=pharmacy wirkstoff=substance packung=pack dosis=dose praxis=practice ueberweisung=transfer
satz=rate stundensatz=hour_rate raum=room ausgefallen=cancelled belegung=enrolment belegt=enrolled marke=brand zurueck=returned ermaessigung=discount haupt=main neben=secondary ausgeschieden=left geschwister=sibling ausgetreten=left eingetreten=joined
stunde=hour unterrichtsstunde=lesson inventar=inventory beschaedigt=damaged defekt=defective kaputt=broken repariert=repaired anfaenger=beginner fortgeschritten=advanced mittelstufe=intermediate feiertag=holiday ferien=holidays
saal=hall chor=choir orchester=orchestra konzert=concert probe=rehearsal auftritt=performance stueck=piece komponist=composer geige=violin klavier=piano gitarre=guitar floete=flute gesang=singing
vorrat=stock rest=remainder ziel=target soll=planned ist=actual plan=plan geplant=planned tatsaechlich=actual erwartet=expected grenze=limit maximal=maximum minimal=minimum hoechst=maximum mindest=minimum
anteil=share quote=rate prozent=percent faktor=factor punkt=point punkte=points rang=rank platzierung=ranking ergebnis=result zeitraum=period laufzeit=term frist=deadline ablauf=expiry ablaufdatum=expiry_date
abschnitt=section bestandteil=component inhalt=content umfang=extent seite=page band=volume auflage=edition ausgabejahr=edition_year erschienen=published erscheinungsjahr=publication_year
verkaeufer=seller kaeufer=buyer haendler=dealer makler=broker eigentuemer=owner paechter=tenant pacht=lease grundstueck=plot immobilie=property baujahr=built_year wohnflaeche=living_area zimmeranzahl=room_count
krankheit=disease symptom=symptom allergie=allergy labor=lab befund=finding notfall=emergency wartezeit=waiting_time liegezeit=stay bett=bed
position=line zeile=line eingang=receipt ausgang=issue zugang=receipt abgang=issue inhaber=owner besitzer=owner vermittler=agent berater=advisor`

/** Also English words: German only inside a compound. */
const ONLY_IN_COMPOUNDS = new Set(
  'art tag note fach bar alt ware hoch position rot stand tor hof stall kind alter police amt los grund rate folge charge lang gut kurz wald feld werk haus tier hund werbung budget partner park museum sensor alarm bus operation station auto normal warm training diesel theater route semester restaurant lot lift salon container ticket album film solar material palette sauna bis von bau rest ist plan band quote punkt symptom orchester faktor minimal lager'.split(
    ' ',
  ),
)

const ABBREVIATIONS =
  'kd=customer re=invoice rech=invoice rg=invoice best=order auftr=order art=article bez=name beschr=description dat=date abl=reading zr=meter vtr=contract ma=employee abt=department lief=supplier stk=quantity gueltig=valid jn=flag kz=flag knz=flag ges=total vk=sale ek=purchase'

const parseWordPairs = (list: string): Map<string, string> =>
  new Map(list.split(/\s+/).map((pair) => pair.split('=') as [string, string]))
const englishByGerman = parseWordPairs(DICTIONARY)
const englishByAbbreviation = parseWordPairs(ABBREVIATIONS)

export const transliterateUmlauts = (text: string): string =>
  text.replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue').replaceAll('ß', 'ss')

/** Without plural or case ending, and with the umlaut undone, as in `vertraege`. */
function* listBaseForms(word: string): Generator<string> {
  yield word
  for (const ending of ['n', 'en', 'e', 'er', 's', 'es', 'em', 'te', 'ten', 'nen']) {
    if (!word.endsWith(ending) || word.length - ending.length < 3) continue
    const withoutEnding = word.slice(0, -ending.length)
    yield withoutEnding
    yield withoutEnding.replace(/([aou])e(?=[^aeiou]+$)/, '$1')
  }
}

/** The English word for a German word in any of its endings. */
function findTranslation(word: string, compoundOnlyWords: ReadonlySet<string> = new Set()): string | undefined {
  for (const form of listBaseForms(word)) {
    // `tier` and `tiers` may be English, `tiere` is not.
    const isEnglish = compoundOnlyWords.has(form) && (word === form || word === `${form}s`)
    const translation = isEnglish ? undefined : englishByGerman.get(form)
    if (translation !== undefined) return translation
  }
  return undefined
}

/** `kundengruppe` is customer group: two words and up to two linking letters. */
function translateCompound(word: string): string | undefined {
  for (let splitIndex = word.length - 3; splitIndex >= 3; splitIndex -= 1) {
    const last = findTranslation(word.slice(splitIndex))
    const first = last === undefined ? undefined : findTranslation(word.slice(0, splitIndex))
    if (first !== undefined && last !== undefined) return `${first}_${last}`
  }
  const [, first, last = ''] =
    /^(\p{L}{4,}?)s?(nummer|datum|preis|betrag|kennzeichen|bezeichnung|stufe|gruppe|(?<=[ers])art)$/u.exec(word) ?? []
  return first === undefined ? undefined : `${findTranslation(first) ?? first}_${englishByGerman.get(last) ?? last}`
}

const translationCache = new Map<string, string | undefined>()

/** The English word or words for a German word or compound; undefined if it is not German. */
export function translateGerman(part: string): string | undefined {
  const word = transliterateUmlauts(part.toLowerCase())
  if (!translationCache.has(word)) translationCache.set(word, findTranslationOfWord(word))
  return translationCache.get(word)
}

function findTranslationOfWord(word: string): string | undefined {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return undefined
  const translation = findTranslation(word, ONLY_IN_COMPOUNDS) ?? translateCompound(word)
  const translatedText = translation?.replaceAll('_', ' ')
  return translatedText === word || `${translatedText}s` === word ? undefined : translatedText
}

/** In a column with a German name, English words such as `bar` are German too. */
export const translateGermanValue = (value: string): string | undefined =>
  findTranslation(transliterateUmlauts(value.toLowerCase()))?.replaceAll('_', ' ')

/** Abbreviations are German only next to other German ones: `rech_nr` with `rech_datum`. */
export const expandGermanAbbreviation = (part: string): string | undefined => englishByAbbreviation.get(part)

const QUESTION_PHRASES: readonly (readonly [string, string])[] = [
  ['wie ?viele?', 'how many'],
  ['wie lange', 'how long'],
  ['wie hoch (?:ist|sind|war|waren)', 'what is'],
  ['(?:die |der )?(?:gesamt)?anzahl(?: der| an| von)?', 'number of'],
  ['summe(?: der| des| von)?', 'sum'],
  ['gesamte[rns]?', 'total'],
  ['durchschnittliche[rns]?|im durchschnitt|im schnitt', 'average'],
  ['haben wir|gibt es', ''],
  ['anteil(?: der| an| von)?', 'share of'],
  ['neue[rns]?', 'new'],
  ['umsatz|umsätze', 'revenue'],
  ['(?:pro|je)', 'per'],
  ['nach', 'by'],
  ['welche[rsnm]?', 'which'],
  ['ohne', 'without'],
  ['mit', 'with'],
  ['zeige?(?: mir)?', 'show'],
  ['alle[rn]?', 'all'],
  ['(?:die|das|den|der) meisten|am meisten', 'the most'],
  ['(?:die|das|den|der) wenigsten|am wenigsten', 'the fewest'],
  ['teuerste[rsn]?', 'most expensive'],
  ['billigste[rsn]?|guenstigste[rsn]?|günstigste[rsn]?', 'cheapest'],
  ['höchste[rsn]?', 'highest'],
  ['größte[rsn]?', 'largest'],
  ['niedrigste[rsn]?', 'lowest'],
  ['kleinste[rsn]?', 'smallest'],
  ['älteste[rsn]?', 'oldest'],
  ['neueste[rsn]?', 'newest'],
  ['längste[rsn]?', 'longest'],
  ['höher als|größer als', 'higher than'],
  ['niedriger als|kleiner als', 'lower than'],
  ['mehr als', 'more than'],
  ['weniger als', 'less than'],
  ['mindestens', 'at least'],
  ['höchstens', 'at most'],
  ['über(?= \\d)', 'over'],
  ['unter(?= \\d)', 'under'],
  ['unter', 'below'],
  ['zwischen', 'between'],
  ['noch nicht', 'not yet'],
  ['nicht', 'not'],
  ['keine[nr]?|kein', 'no'],
  ['nie(?:mals)?', 'never'],
  ['(?:im|in den) letzten (\\d+) tagen?', 'in the last $1 days'],
  ['letzte[rsnm]? monat|im letzten monat', 'last month'],
  ['letzte[rsnm]? woche', 'last week'],
  ['(?:im )?(?:letzte|vorige|vergangene)[sn]? jahr', 'last year'],
  ['diese[sn] monat|in diesem monat', 'this month'],
  ['dieses jahr|in diesem jahr', 'this year'],
  ['im jahre? (\\d{4})', 'in $1'],
  ['heute', 'today'],
  ['gestern', 'yesterday'],
  ['seit', 'since'],
  ['vor(?= \\d{4})', 'before'],
  ['monat', 'month'],
  ['quartal', 'quarter'],
  ['jahr', 'year'],
  ['woche', 'week'],
  ['tag', 'day'],
  ['und', 'and'],
  ['oder', 'or'],
  ['hat|haben|hatten|hatte', 'has'],
  ['ist|sind|war|waren|wurden?|worden', 'were'],
  ['(?:kommen|kommt|stammen|stammt) aus|aus', 'from'],
  ['für|fuer', 'for'],
  ['noch', ''],
  ['die|der|das|den|dem|des|ein|eine[rnms]?|von|im|in|am', 'the'],
]
const matchWholeWords = (words: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`, 'giu')
const phrasePatterns = QUESTION_PHRASES.map(([words, english]) => [matchWholeWords(words), english] as const)
const GERMAN_WORD =
  /(?<!\p{L})(?:wie|viele?|anzahl|summe|durchschnitt\p{L}*|welche\p{L}*|nach|monat|jahr|woche|zeige?|gibt|ohne|der|die|das|den|pro|je|im|meisten|letzte\p{L}*|hat|haben|kein\p{L}*|nicht|für|aus|nie|mit|seit|gestern|heute|anteil|neue[rns]?|mehr als|weniger als|mindestens|über(?= \d)|unter|teuerst\p{L}*|größt\p{L}*|höchst\p{L}*|niedrigst\p{L}*|kleinst\p{L}*|ältest\p{L}*|längst\p{L}*|billigst\p{L}*|günstigst\p{L}*)(?!\p{L})/iu

/** Translates the grammar of a German question; nouns are left to the lexicon. */
export const translateQuestion = (text: string): string =>
  GERMAN_WORD.test(text) && !/\b(?:how|many|the|what|which|show|by|is|are)\b/i.test(text)
    ? phrasePatterns.reduce((result, [pattern, english]) => result.replaceAll(pattern, english), text)
    : text
