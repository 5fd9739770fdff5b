"""The countries that people name in addresses, by their ISO 3166 codes."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

from calendar_site.core.text import normalize_for_search

# The names of countries in the languages of the admin, and their own. The zone database has the English ones, and
# countries that it spells differently are here as well. Countries with several time zones need no entry.
NAMES = {
    "AD": "Andorre, Andora",
    "AE": "UAE, Emirates, Vereinigte Arabische Emirate, Emirats arabes unis, Emiratos Árabes Unidos, Emirati "
    "Arabi Uniti",
    "AL": "Albanien, Albanie, Albanië, Albânia, Shqipëria",
    "AT": "Österreich, Oesterreich, Autriche, Oostenrijk, Áustria",
    "BA": "Bosnia and Herzegovina, Bosnien und Herzegowina, Bosnie-Herzégovine, Bosnia y Herzegovina, Bosna i "
    "Hercegovina",
    "BE": "Belgien, Bélgica, Belgique, Belgio, België, Belgia",
    "BG": "Bulgarien, Bulgarie, Bulgarije, Bułgaria, Bulgária, България",
    "BY": "Weißrussland, Bielorrusia, Biélorussie, Bielorussia, Białoruś, Wit-Rusland, Bielorrússia",
    "CH": "Schweiz, Suisse, Svizzera, Svizra, Suiza, Zwitserland, Szwajcaria, Suíça",
    "CY": "Zypern, Chipre, Chypre, Cipro, Cypr, Κύπρος",
    "CZ": "Czechia, Tschechien, Tschechische Republik, Chequia, República Checa, Tchéquie, République tchèque, "
    "Cechia, Repubblica Ceca, Tsjechië, Czechy, Chéquia, Česko, Česká republika",
    "DE": "Deutschland, Federal Republic of Germany, Bundesrepublik Deutschland, BRD, Alemania, Allemagne, "
    "Germania, Duitsland, Niemcy, Alemanha",
    "DK": "Dänemark, Dinamarca, Danemark, Danimarca, Denemarken, Dania, Danmark",
    "EE": "Estland, Estonie, Estônia, Estónia, Eesti",
    "FI": "Finnland, Finlandia, Finlande, Finlândia, Suomi",
    "FR": "Frankreich, Francia, Frankrijk, Francja, França",
    "GB": "UK, United Kingdom, Great Britain, Britain, England, Scotland, Wales, Northern Ireland, Vereinigtes "
    "Königreich, Großbritannien, Schottland, Reino Unido, Gran Bretaña, Inglaterra, Escocia, Royaume-Uni, "
    "Grande-Bretagne, Angleterre, Écosse, Regno Unito, Gran Bretagna, Inghilterra, Scozia, Verenigd "
    "Koninkrijk, Groot-Brittannië, Engeland, Schotland, Wielka Brytania, Zjednoczone Królestwo, Anglia, "
    "Szkocja, Grã-Bretanha, Escócia",
    "GR": "Griechenland, Grecia, Grèce, Griekenland, Grecja, Grécia, Ελλάδα, Hellas",
    "HR": "Kroatien, Croacia, Croatie, Croazia, Kroatië, Chorwacja, Croácia, Hrvatska",
    "HU": "Ungarn, Hungría, Hongrie, Ungheria, Hongarije, Węgry, Hungria, Magyarország",
    "IE": "Irland, Irlanda, Irlande, Ierland, Irlandia, Éire, Republic of Ireland",
    "IL": "Israël, Israele, Izrael",
    "IN": "Indien, Inde, Indie, Índia, Bharat",
    "IS": "Island, Islandia, Islande, Islanda, IJsland, Islândia, Ísland",
    "IT": "Italien, Italia, Italie, Italië, Włochy, Itália",
    "JP": "Japón, Japon, Giappone, Japonia, Japão, 日本",
    "KR": "South Korea, Südkorea, Corea del Sur, Corée du Sud, Corea del Sud, Zuid-Korea, Korea Południowa, "
    "Coreia do Sul, 대한민국",
    "LI": "Fürstentum Liechtenstein",
    "LT": "Litauen, Lituania, Lituanie, Litouwen, Litwa, Lituânia, Lietuva",
    "LU": "Luxemburg, Luxemburgo, Lussemburgo, Luksemburg, Lëtzebuerg",
    "LV": "Lettland, Letonia, Lettonie, Lettonia, Letland, Łotwa, Letônia, Letónia, Latvija",
    "MC": "Mónaco, Monako",
    "MD": "Moldau, Republik Moldau, Moldavia, Moldavie, Moldavië, Mołdawia, Moldávia",
    "ME": "Monténégro, Czarnogóra, Crna Gora",
    "MK": "Nordmazedonien, Macedonia del Norte, Macédoine du Nord, Macedonia del Nord, Noord-Macedonië, "
    "Macedonia Północna, Macedónia do Norte, Macedônia do Norte",
    "MT": "Malte",
    "NL": "The Netherlands, Holland, Niederlande, Países Bajos, Holanda, Pays-Bas, Paesi Bassi, Olanda, "
    "Nederland, Holandia, Niderlandy, Países Baixos",
    "NO": "Norwegen, Noruega, Norvège, Norvegia, Noorwegen, Norwegia, Norge",
    "PL": "Polen, Polonia, Pologne, Polska, Polónia, Polônia",
    "RO": "Rumänien, Rumanía, Roumanie, Roemenië, Rumunia, Roménia, Romênia, România",
    "RS": "Serbien, Serbie, Servië, Sérvia, Srbija",
    "SE": "Schweden, Suecia, Suède, Svezia, Zweden, Szwecja, Suécia, Sverige",
    "SI": "Slowenien, Eslovenia, Slovénie, Slovenië, Słowenia, Eslovénia, Eslovênia, Slovenija",
    "SK": "Slowakei, Eslovaquia, Slovaquie, Slovacchia, Slowakije, Słowacja, Eslováquia, Slovensko",
    "SM": "Saint-Marin",
    "TR": "Türkiye, Türkei, Turquía, Turquie, Turchia, Turkije, Turcja, Turquia",
    "VA": "Holy See, Vatikan, Vatikanstadt, Vaticano, Ciudad del Vaticano, Città del Vaticano, Vatican, "
    "Watykan, Cidade do Vaticano",
    "ZA": "Südafrika, Sudáfrica, Afrique du Sud, Sudafrica, Zuid-Afrika, Republika Południowej Afryki, África do Sul",
}


def country_key(name: str) -> str:
    """Return the letters of a country's name without case and accents, by which spellings are compared."""
    return "".join(filter(str.isalpha, normalize_for_search(name)))


def country_code(name: str) -> str:
    """Return the ISO 3166 code of the country with this code or name; "" if the name is unknown."""
    return _codes().get(country_key(name), "")


@lru_cache(maxsize=1)
def _codes() -> dict[str, str]:
    """Return codes by the keys of the countries' codes and names."""
    codes: dict[str, str] = {}
    for code, name in read_zone_table("iso3166.tab"):
        codes |= {country_key(code): code, country_key(name): code}
    for code, names in NAMES.items():
        codes |= {country_key(name): code for name in names.split(", ")}
    return codes


def read_zone_table(name: str) -> list[list[str]]:
    """Return the columns of the lines of a table of the zone database, such as `zone.tab`."""
    text = files("tzdata").joinpath("zoneinfo", name).read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
