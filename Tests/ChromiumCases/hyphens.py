"""Random texts of words that are hyphenated, with what decides whether they are: capitals, marks, digits, apostrophes and addresses."""

# Words of each language, long and short ones. Every letter but those of LOANWORDS is in the alphabet of the language's patterns.
WORDS = {
    "en-US": """
        the of and a to in we is it for on with at by an as or so if this that table really happily only money water under
        internationalization characterization representative neighborhood organization photograph photography project present
        record development application performance everything understanding responsibility communication environment
        extraordinary supercalifragilistic unbelievable misunderstanding kindergarten customers delivery favorite afternoon
        restaurant breakfast vegetables chocolate strawberries ingredients temperature celebration birthday anniversary
        beautiful adventure mountains yesterday tomorrow together wonderful announcement conference engineering keyboard
        typesetting hyphenation algorithm dictionary pattern syllable column newspaper magazine journalist associate
        university manuscript something however throughout reciprocity obligatory philanthropic retribution office affine
        flowing difficult affiliation waffles scarf shelf through strengths rhythm queue idea area okay baby eerie
    """,
    "en-GB": """
        the of and a to in we is it for on with at by an as or so if this that table really happily only money water under
        internationalisation characterisation representative neighbourhood organisation photograph photography colour
        favourite theatre programme cheque travelling cancelled behaviour catalogue grey aluminium manoeuvre encyclopaedia
        development application performance everything understanding responsibility communication environment extraordinary
        unbelievable misunderstanding kindergarten customers delivery afternoon restaurant breakfast vegetables chocolate
        strawberries ingredients temperature celebration birthday anniversary beautiful adventure mountains yesterday
        tomorrow together wonderful announcement conference engineering keyboard typesetting hyphenation algorithm
        dictionary pattern syllable column newspaper magazine journalist manuscript something however throughout office
        affine flowing difficult waffles scarf strengths rhythm queue idea area okay baby whilst amongst postcode underground
    """,
    "de": """
        der die das und in zu den mit von für auf ist im dem nicht ein eine als auch es an er so aber wie wir nach oben ober
        Donaudampfschifffahrtsgesellschaft Straßenbahnhaltestelle Krankenversicherung Geschwindigkeitsbegrenzung Größe schöne
        Überraschung Übung überall Öffnungszeiten öffentlich Äpfel Ärztekammer Rechtsschutzversicherung Bundesverfassungsgericht
        Wochenende Frühstück Zucker backen Decke Brücke Wüste Kiste Fenster Katze Pfütze herum hinaus woran darüber
        Verantwortung Entwicklung Anwendung Gemeinschaft Umgebung außerordentlich unglaublich Kindergarten Lieferung Kunden
        nachmittags Gemüse Schokolade Erdbeeren Zutaten Temperatur Geburtstag Jubiläum wunderschön Abenteuer Gebirge gestern
        morgen zusammen Ankündigung Besprechung Tastatur Schriftsatz Silbentrennung Algorithmus Wörterbuch Muster Spalte
        Zeitung Zeitschrift Journalistin Schifffahrt Auffahrt Schaffner Kaffee Rhythmus Strumpf Angst Abend Ofen Idee Treue
        Staubecken Druckerzeugnis Urinstinkt Blumentopferde Wachstube beinhalten Altbauerhaltung
    """,
    "es": """
        el la de que y a en un ser se no haber por con su para como estar tener le lo todo pero más hacer o poder decir año
        internacionalización caracterización representante vecindario organización fotografía proyecto presente desarrollo
        aplicación rendimiento responsabilidad comunicación medioambiente extraordinario increíble malentendido clientes
        entrega favorito tarde restaurante desayuno verduras chocolate fresas ingredientes temperatura celebración
        cumpleaños aniversario hermosa aventura montañas ayer mañana juntos maravilloso anuncio conferencia ingeniería teclado
        tipografía separación silábica algoritmo diccionario patrón columna periódico revista periodista universidad
        manuscrito carretera calle guitarra perro ferrocarril construir instrucción transporte subrayar aéreo poeta
        continuo país ciudad excepción hacia ahora búho aquí pequeño español corazón también última área idea oía
    """,
    "fr": """
        le la de un être et à il avoir ne je son que se qui ce dans en du elle au pour pas vous par sur faire plus dire me on
        internationalisation caractérisation représentant voisinage organisation photographie projet présent développement
        application performance responsabilité communication environnement extraordinaire incroyable malentendu clients
        livraison favori restaurant déjeuner légumes chocolat fraises ingrédients température célébration anniversaire
        magnifique aventure montagnes hier demain ensemble merveilleux annonce conférence ingénierie clavier typographie
        césure algorithme dictionnaire motif syllabe colonne journal magazine journaliste université manuscrit naïveté
        hôpital garçon façade cœur œuvre sœur fenêtre maîtrise goût août maïs Noël élève éléphant étymologie
        aujourd’hui d’accord l’organisation qu’aujourd’hui jusqu’ici s’entendre d'habitude l'environnement presqu'île
    """,
}  # fmt: skip
WORDS = {language: words.split() for language, words in WORDS.items()}

# What Blink does not hyphenate, or not everywhere: letters of other languages, apostrophes, digits, addresses.
LOANWORDS = {
    "en-US": "naïveté façade-like résumés children's children’s don't organization’s O'Neill's".split(),
    "en-GB": "naïveté façade-like résumés children's children’s don't organisation’s O'Neill's".split(),
    "de": "Señorita-Gebäck Smørrebrød Łukasiewicz Andreas’ geht's Kaufmann's".split(),
    "es": "pingüino Gebäckstücke façade O'Higgins Barça".split(),
    "fr": "mañanero Straßenbahn Übersetzung Łukasiewicz".split(),
}
ADDRESSES = "https://example.com/internationalization/page example.org/a-b someone@organization.example #hyphenation @typesetting".split()
MARKS = [",", ",", ",", ".", ".", ";", ":", "!", "?", "…", "...", "%", ".)"]
PAIRS = ["()", "“”", "\"\"", "‘’", "«»", "„“", "[]", "**", "__"]
JOINTS = ["-", "-", "-", "/", "—", "–", "\u00ad", "\u00ad", "\u200b", "\u00a0", "_", "’", "+", "&", "·"]
LANGUAGES = {"en-US": ["en-US", "en"], "en-GB": ["en-GB", "en-AU"], "de": ["de", "de-AT"], "es": ["es", "es-MX"], "fr": ["fr", "fr-CA"]}


def text_maker(language):
    """Returns a function that makes a text of a language."""

    def text(generator):
        pieces = [piece(generator, language) for _ in range(generator.choice([1, 2, 3, 4, 6, 8, 12, 18, 26]))]
        return "".join(part + generator.choice([" "] * 24 + ["  ", "\n"]) for part in pieces).strip()

    return text


def piece(generator, language):
    """Returns a word, most often as it is, or with what can keep it from being hyphenated."""
    word = generator.choice(WORDS[language])
    kind = generator.random()
    if kind < 0.6:
        return word
    if kind < 0.66:
        return word[0].upper() + word[1:]
    if kind < 0.69:
        return word.upper()
    if kind < 0.79:
        return word + generator.choice(MARKS)
    if kind < 0.84:
        first, last = generator.choice(PAIRS)
        return first + word + last
    if kind < 0.92:
        return word + generator.choice(JOINTS) + generator.choice(WORDS[language])
    if kind < 0.94:
        place = generator.randint(1, len(word))
        return word[:place] + "\u00ad" + word[place:]
    if kind < 0.96:
        return generator.choice([word + "2", "4" + word, "$" + word, "12,345.67", "2024-05-01"])
    if kind < 0.97:
        return generator.choice(["😀" + word, word + "😀", "• " + word])
    return generator.choice(LOANWORDS[language] + ADDRESSES)


def css_maker(language):
    """Returns a function that makes the properties of a text of a language."""

    def css(generator):
        found = {"hyphens": "auto", "lang": generator.choice(LANGUAGES[language])}
        kind = generator.random()
        if kind < 0.2:
            found["overflowWrap"] = "normal"
        elif kind < 0.3:
            found["textWrap"] = generator.choice(["balance", "pretty"])
        elif kind < 0.36:
            found["wordBreak"] = generator.choice(["breakAll", "keepAll"])
        return found

    return css
